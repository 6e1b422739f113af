"""League data: what really happened, before charts or plans are derived from it.

Play-by-play (reading and validation), schedules and season formats, team names, real team
statistics, and plays counted by chart column and by situation. This package knows nothing about
the charts and plans built from it.
"""
