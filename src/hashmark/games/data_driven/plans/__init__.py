"""Game plans: how a coach calls, as data that is read, checked and described (docs/plans.md)."""
