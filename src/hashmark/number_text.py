"""Numbers as text, in one form everywhere: `52.9 %`, `95 % CI 52.2 to 53.6`."""

from __future__ import annotations


def percent(share: float, decimals: int = 0, sign: str = "") -> str:
    """Format a share in percent: `52.9 %`; `sign` is `+` to show that of positive numbers too."""
    return f"{100 * share:{sign}.{decimals}f} %"


def whole_percent(share: float) -> str:
    """Format a share in whole percent; a small one is `<1 %`, and an almost certain one `>99 %`."""
    if 0 < share < 0.005:
        return "<1 %"
    if 0.995 <= share < 1:
        return ">99 %"
    return percent(share)


def interval_text(low: float, high: float, decimals: int = 0, sign: str = "") -> str:
    """Format a 95 % confidence interval of plain numbers: `95 % CI 0.47 to 0.69`."""
    return f"95 % CI {low:{sign}.{decimals}f} to {high:{sign}.{decimals}f}"
