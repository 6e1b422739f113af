"""The HTTP API: routes for programs, the forms they accept, and the event stream."""
