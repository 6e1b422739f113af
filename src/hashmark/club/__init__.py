"""Season, team and what-if views, background jobs, and leagues behind the web page.

Plain values and computations that know nothing about a server. `web` stores and serves them.
"""
