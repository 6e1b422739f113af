"""Facts: what really happened, before anything is made of it.

Play-by-play found and checked, schedules and formats of seasons, the teams and their names, the
figures of every team, and plays counted by column and by situation. It knows nothing of charts
or plans made from them.
"""
