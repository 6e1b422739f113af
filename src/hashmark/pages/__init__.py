"""Pages: one set of templates and one drawing board for whatever becomes HTML.

`report` is a page of sections with charts and tables, `environment` renders any template. The
charts are values (`shapes`), worked out here and drawn by the templates. A page is one file that
needs nothing else; sheets use the same base.
"""
