"""Distributions of gains: cut off by the goal line, mixed with the league's, tilted to a mean.

A distribution is an array over `YARDS` with one place more at the end: a touchdown from
anywhere (`TD`), which stands for every gain of more than 80 yards.
"""

from __future__ import annotations

import numpy as np

from hashmark.league.charts.tallies import LOWEST, YARDS, Array

LONGEST = 80  # gains beyond become TD
TD_YARDS = 88.0  # what such a gain amounts to on average, for expectations
VALUES = np.append(YARDS.astype(float), TD_YARDS)
BREAKAWAY_FROM = 13


def product_limit(gains: Array, scores: Array, prior: Array | None = None, k: float = 0) -> Array:
    """Kaplan-Meier: a touchdown of y yards is a gain of at least y.

    `prior` is a distribution whose chances of going on count like k plays; with it the tail
    is never empty. Arrays may have leading axes; the last one is the yards.
    """
    there = np.flip(np.cumsum(np.flip(gains + scores, -1), -1), -1)
    ended, risk = gains, there
    if prior is not None:
        body = prior[..., :-1]
        left = 1.0 - np.cumsum(body, -1) + body
        hazard = np.where(left > 1e-12, body / np.maximum(left, 1e-12), 0.0)
        ended, risk = gains + k * hazard, there + k
    stops = np.where(risk > 1e-9, ended / np.maximum(risk, 1e-9), 0.0)
    stops[..., LONGEST - LOWEST + 1 :] = 0.0
    survives = np.cumprod(1.0 - stops, -1)
    before = np.concatenate([np.ones_like(survives[..., :1]), survives[..., :-1]], -1)
    return np.concatenate([before * stops, survives[..., -1:]], -1)


def mean(distribution: Array) -> Array:
    """Expected yards, a TD counted as usual."""
    return np.asarray(distribution @ VALUES)


def at_least(distribution: Array, place: int) -> Array:
    """The distribution given that it is at this place or beyond."""
    tail = distribution.copy()
    tail[:place] = 0.0
    return np.asarray(tail / tail.sum())


def tilt(distribution: Array, wanted: Array) -> Array:
    """The nearest distribution with the mean wanted: p(y) exp(t y), by bisection."""
    low = np.full(np.shape(wanted), -0.5)
    high = np.full(np.shape(wanted), 0.5)
    centred = VALUES - 10.0
    for _ in range(50):
        t = (low + high) / 2
        shaped = distribution * np.exp(np.clip(t[..., None] * centred, -40, 40))
        shaped /= shaped.sum(-1, keepdims=True)
        above = mean(shaped) > wanted
        high, low = np.where(above, t, high), np.where(above, low, t)
    return np.asarray(shaped)


def unshift(wanted: Array, shifts: dict[int, float], rounds: int = 60) -> Array:
    """The distribution that becomes the wanted one when shifts are added to it.

    Richardson-Lucy rounds keep it positive. TD stays TD whatever is added.
    """
    steps = list(shifts.items())
    back = [(-by, chance) for by, chance in steps]
    body, touchdowns = wanted[..., :-1], wanted[..., -1:]
    made = body.copy()
    for _ in range(rounds):
        blurred = _blurred(made, steps)
        ratio = np.where(blurred > 1e-12, body / np.maximum(blurred, 1e-12), 0.0)
        made = made * _blurred(ratio, back)
    total = np.maximum(made.sum(-1, keepdims=True), 1e-12)
    return np.concatenate([made / total * (1 - touchdowns), touchdowns], -1)


def _blurred(distribution: Array, steps: list[tuple[int, float]]) -> Array:
    """The distribution with yards added by chance; what leaves the range stays at its edge."""
    total = np.zeros_like(distribution)
    for by, chance in steps:
        part = chance * distribution
        if by == 0:
            total += part
        elif by > 0:
            edge = distribution[..., -by - 1] + distribution[..., -by:].sum(-1)
            total[..., by:-1] += part[..., : -by - 1]
            total[..., -1] += chance * edge
        else:
            edge = distribution[..., -by] + distribution[..., :-by].sum(-1)
            total[..., 1:by] += part[..., 1 - by :]
            total[..., 0] += chance * edge
    return total
