"""Tables of a server: a game session each, its persistence, autoplay, coaches, odds and reviews."""
