"""One file for each migration; its name begins with its number."""
