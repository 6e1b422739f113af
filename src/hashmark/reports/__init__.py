"""HTML reports and charts: one set of templates for every page.

`report` is a page of sections with charts and tables, `rendering` renders any template. Charts
are values (`shapes`) that are computed here and drawn by the templates. A page is one
self-contained file; score sheets use the same base template.
"""
