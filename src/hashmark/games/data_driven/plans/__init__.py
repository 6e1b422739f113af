"""Game plans (docs/reference/plans.md): how a coach calls, as data read, checked and described."""
