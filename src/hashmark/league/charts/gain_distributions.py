"""Distributions of gains: censored by the goal line, shrunk to the league, tilted to a mean.

A distribution is an array over `YARDS` with one extra bin at the end: a touchdown from anywhere
(`TD`), which stands for every gain of more than 80 yards.
"""

from __future__ import annotations

import numpy as np

from hashmark.league.charts.tallies import LOWEST_GAIN, YARDS
from hashmark.league.data.arrays import Floats

LONGEST_GAIN_YARDS = 80  # gains beyond become TD
TD_YARDS = 88.0  # mean yards of such a gain
BIN_YARDS = np.append(YARDS.astype(float), TD_YARDS)
BREAKAWAY_MIN_YARDS = 13


def kaplan_meier(
    gains: Floats, scores: Floats, prior: Floats | None = None, prior_plays: float = 0
) -> Floats:
    """Return the Kaplan-Meier estimate; a touchdown of y yards is censored at y.

    `prior` is a distribution whose hazard counts like `prior_plays` plays; with it the tail is
    never empty. Arrays may have leading axes; the last one is the yards.
    """
    at_risk_counts = np.flip(np.cumsum(np.flip(gains + scores, -1), -1), -1)
    stopped, at_risk = gains, at_risk_counts
    if prior is not None:
        body = prior[..., :-1]
        surviving = 1.0 - np.cumsum(body, -1) + body
        hazard = np.where(surviving > 1e-12, body / np.maximum(surviving, 1e-12), 0.0)
        stopped, at_risk = gains + prior_plays * hazard, at_risk_counts + prior_plays
    stops = np.where(at_risk > 1e-9, stopped / np.maximum(at_risk, 1e-9), 0.0)
    stops[..., LONGEST_GAIN_YARDS - LOWEST_GAIN + 1 :] = 0.0
    survives = np.cumprod(1.0 - stops, -1)
    before = np.concatenate([np.ones_like(survives[..., :1]), survives[..., :-1]], -1)
    return np.concatenate([before * stops, survives[..., -1:]], -1)


def mean_gain(distribution: Floats) -> Floats:
    """Return expected yards, with TD counted as `TD_YARDS`."""
    return np.asarray(distribution @ BIN_YARDS)


def truncate_below(distribution: Floats, index: int) -> Floats:
    """Return the distribution conditional on this index or beyond."""
    tail = distribution.copy()
    tail[:index] = 0.0
    return np.asarray(tail / tail.sum())


def tilt_to_mean(distribution: Floats, wanted: Floats) -> Floats:
    """Return the exponentially tilted distribution p(y) exp(t y) with the wanted mean."""
    low = np.full(np.shape(wanted), -0.5)
    high = np.full(np.shape(wanted), 0.5)
    centered = BIN_YARDS - 10.0
    for _ in range(50):
        t = (low + high) / 2
        shaped = distribution * np.exp(np.clip(t[..., None] * centered, -40, 40))
        shaped /= shaped.sum(-1, keepdims=True)
        above = mean_gain(shaped) > wanted
        high, low = np.where(above, t, high), np.where(above, low, t)
    return np.asarray(shaped)


def deconvolve(wanted: Floats, shifts: dict[int, float], iterations: int = 60) -> Floats:
    """Return the distribution that becomes the wanted one when the shifts are added.

    Richardson-Lucy iterations keep it positive. TD stays TD under any shift.
    """
    forward = list(shifts.items())
    backward = [(-by, chance) for by, chance in forward]
    body, touchdowns = wanted[..., :-1], wanted[..., -1:]
    estimate = body.copy()
    for _ in range(iterations):
        blurred = _convolve(estimate, forward)
        ratio = np.where(blurred > 1e-12, body / np.maximum(blurred, 1e-12), 0.0)
        estimate = estimate * _convolve(ratio, backward)
    total = np.maximum(estimate.sum(-1, keepdims=True), 1e-12)
    return np.concatenate([estimate / total * (1 - touchdowns), touchdowns], -1)


def _convolve(distribution: Floats, steps: list[tuple[int, float]]) -> Floats:
    """Add random shifts to a distribution; mass beyond the range stays at its edge."""
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
