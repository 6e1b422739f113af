"""Game plans: how a coach calls, as data; read, checked, and told in words (docs/plans.md)."""
