"""Position values: solved games, rollout estimates, best calls and game reviews."""
