"""Files: reading what users supply, atomic and durable writes, search path and user directories."""
