"""Real seasons and teams for pages: views as data, what-if forms, meetings and saved plans."""
