from hashmark.table.rules import RANDOM

COACHES = (RANDOM,)
