"""What positions are worth: solving whole games, estimating others, best calls and reviews."""
