"""Numba types of pools, printed tables, event kinds, coaches and rule sets.

Each object is a compile-time constant with a type of its own, so that `roll(g, D20)` compiles to
code for that very die.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from hashmark.engine.dice import Pool
from hashmark.engine.events import EventKind
from hashmark.engine.grid import Grid
from hashmark.engine.rule_set import Coach, GameRuleSet, RuleSet


class _ConstantType(types.Dummy):
    """Type of one constant object; compiled code has no value of it at run time."""

    def __init__(self, value: object, name: str) -> None:
        self.value = value
        super().__init__(name=f"{type(self).__name__}({name})")


class PoolType(_ConstantType):
    """Type of one pool of dice."""

    value: Pool


class GridType(_ConstantType):
    """Type of one printed table."""

    value: Grid


class EventType(_ConstantType):
    """Type of one event kind."""

    value: EventKind


class CoachType(_ConstantType):
    """Type of one coach."""

    value: Coach


@dataclass(frozen=True)
class SingleCoach:
    """The only coach of a loop, passed instead of a number, so that no other is compiled."""

    rules: RuleSet
    coach: Coach


class SingleCoachType(CoachType):
    """Type of a `SingleCoach`; pickled as the names of game and coach."""

    def __init__(self, single: SingleCoach) -> None:
        self.names = single.rules.name, single.coach.name
        super().__init__(single.coach, " ".join(self.names))

    def __reduce__(self) -> tuple[Any, ...]:
        return _single_coach_type, self.names


def _single_coach_type(rules: str, coach: str) -> SingleCoachType:
    from hashmark.engine import registry

    loaded = registry.load(rules)
    return SingleCoachType(SingleCoach(loaded, loaded.coach(coach)))


class RulesType(_ConstantType):
    """Type of one rule set; pickled as the game's name."""

    value: RuleSet

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules_type, (self.value.name,)


def _rules_type(name: str) -> RulesType:
    from hashmark.engine import registry

    return RulesType(registry.load(name), name)


for _type in (PoolType, GridType, EventType, CoachType, SingleCoachType, RulesType):
    register_model(_type)(models.OpaqueModel)


def _register_constant(value_class: type, constant_type: type[_ConstantType]) -> None:
    @typeof_impl.register(value_class)
    def type_of_value(value: Pool | Grid | EventKind | Coach, context: object) -> _ConstantType:
        return constant_type(value, f"{value.name}#{id(value)}")


_register_constant(Pool, PoolType)
_register_constant(Grid, GridType)
_register_constant(EventKind, EventType)
_register_constant(Coach, CoachType)


@typeof_impl.register(SingleCoach)
def _type_of_single_coach(value: SingleCoach, context: object) -> SingleCoachType:
    return SingleCoachType(value)


@typeof_impl.register(GameRuleSet)
def _type_of_rules(value: RuleSet, context: object) -> RulesType:
    return RulesType(value, f"{value.name}#{id(value)}" if value.is_custom else value.name)


@unbox(SingleCoachType)
@unbox(RulesType)
def _unbox_constant(typ: _ConstantType, value: ir.Value, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())
