"""One file a step; its name begins with its number."""
