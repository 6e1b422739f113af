"""Hashmark on a web page."""
