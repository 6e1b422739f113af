"""HTML pages: routes, page parts, templates, and what a viewer may see as data."""
