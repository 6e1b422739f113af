"""Options: values as a user types them."""

from __future__ import annotations

import pytest

from hashmark.engine.options import Option, parse_int
from hashmark.errors import UnknownName

CLOCK = Option("clock", "minutes", range(5, 16), default=15)
OVERTIME = Option("overtime", "whether a tie is played on", (True, False))


@pytest.mark.parametrize("given", [7, "7", "+7"])
def test_a_number_may_be_given_as_text(given: object) -> None:
    assert CLOCK.parse(given) == CLOCK.code(7) == 7


@pytest.mark.parametrize(("given", "code"), [(True, 0), ("true", 0), (False, 1), ("false", 1)])
def test_a_value_is_stored_as_its_index(given: object, code: int) -> None:
    assert OVERTIME.code(OVERTIME.parse(given)) == code


def test_what_is_not_allowed_is_refused_with_what_is() -> None:
    with pytest.raises(UnknownName, match="value of option clock '16': allowed: 5 to 15"):
        CLOCK.parse(16)
    with pytest.raises(UnknownName, match="allowed: true, false"):
        OVERTIME.parse(1)
    assert (CLOCK.default_value, OVERTIME.default_value) == (15, True)


@pytest.mark.parametrize("given", ["", "1.0", "1e3", "٣", "9" * 21, None, True])
def test_other_texts_are_no_integers(given: object) -> None:
    assert parse_int(given) is None
