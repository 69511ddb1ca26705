"""Frozen records: what `dataclasses` does, at a fiftieth of the time at import.

In: a class with annotated fields. Out: the same class with a constructor, equality, a hash and a `repr`. The standard module
writes and compiles source for every class, half a millisecond each; two hundred classes would be a fifth of every
command's run. Here all classes share a few functions that look fields up by name. Type checkers see ordinary frozen
dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

Kind = TypeVar("Kind", bound=type)
Value = TypeVar("Value")
_MISSING: Any = object()
_HASH = "remembered hash"
"""Beside the fields of an instance, which it is not one of."""


class _Field:
    """The arguments of `field`, until the class is made."""

    def __init__(
        self,
        default: Any,
        default_factory: Callable[[], Any] | None,
        compare: bool,
        hash: bool,
        repr: bool,
        init: bool,
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.compare = compare
        self.hash = hash
        self.repr = repr
        self.init = init


def field(
    *,
    default: Any = _MISSING,
    default_factory: Callable[[], Any] | None = None,
    compare: bool = True,
    hash: bool = True,
    repr: bool = True,
    init: bool = True,
) -> Any:
    """A field with more to say than its type: as in `dataclasses`."""
    return _Field(default, default_factory, compare, hash, repr, init)


@overload
def record(cls: Kind) -> Kind: ...
@overload
def record(
    *, frozen: bool = True, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> Callable[[Kind], Kind]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: Any = None, *, frozen: bool = True, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> Any:
    """`eq=False`: equal only to itself. `frozen=False`: fields may be assigned to, and there is no hash."""

    def made(kind: Any) -> Any:
        return _made(kind, frozen, eq, repr, kw_only)

    return made if cls is None else made(cls)


def field_names(node: Any) -> tuple[str, ...]:
    """Of a record or its class, in order."""
    names: tuple[str, ...] = node.__record_fields__
    return names


def is_record(node: Any) -> bool:
    return hasattr(node, "__record_fields__")


def replace(node: Value, **changes: Any) -> Value:
    """The same with other values in these fields."""
    kind: Any = type(node)
    given = {name: getattr(node, name) for name in kind.__init_fields__ if name not in changes}
    return kind(**given, **changes)  # type: ignore[no-any-return]


def astuple(node: Any) -> tuple[Any, ...]:
    """The values of a record's fields, in order."""
    return tuple(getattr(node, name) for name in field_names(node))


def _made(kind: Any, frozen: bool, eq: bool, repr: bool, kw_only: bool) -> Any:
    inherited = getattr(kind, "__field_options__", {})
    options: dict[str, _Field] = dict(inherited)
    for name, annotation in kind.__annotations__.items():
        if str(annotation).startswith("ClassVar"):
            continue
        said = kind.__dict__.get(name, _MISSING)
        options[name] = said if isinstance(said, _Field) else field(default=said)
        if isinstance(said, _Field):
            # What remains on the class is what an instance shows for a field that was left out, or nothing.
            if said.default is _MISSING:
                delattr(kind, name)
            else:
                setattr(kind, name, said.default)
    names = tuple(options)
    kind.__field_options__ = options
    kind.__record_fields__ = names
    kind.__init_fields__ = tuple(name for name in names if options[name].init)
    if not kw_only:
        setattr(kind, "__match_args__", kind.__init_fields__)  # noqa: B010 (mypy refuses the assignment)
    if "__init__" not in kind.__dict__:
        kind.__init__ = _constructor(kind, options, kw_only)
    if repr and "__repr__" not in kind.__dict__:
        kind.__repr__ = _representation(tuple(name for name in names if options[name].repr))
    if eq:
        _compared(kind, options, frozen)
    if frozen:
        kind.__setattr__ = _refuse
        kind.__delattr__ = _refuse
    return kind


def _constructor(kind: Any, options: dict[str, _Field], kw_only: bool) -> Callable[..., None]:
    names: tuple[str, ...] = kind.__init_fields__
    count = len(names)
    defaults = {name: each.default for name, each in options.items() if each.default is not _MISSING}
    factories = {
        name: each.default_factory for name, each in options.items() if each.default_factory is not None
    }
    settle = hasattr(kind, "__post_init__")

    def complete(given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        values = dict(zip(names, given, strict=False))
        double = values.keys() & named.keys()
        if len(given) > count or (kw_only and given) or double or not named.keys() <= set(names):
            raise TypeError(f"{kind.__name__} takes {', '.join(names) or 'nothing'}; got {given} and {named}")
        values.update(named)
        for name in names:
            if name not in values:
                if name in defaults:
                    values[name] = defaults[name]
                elif name in factories:
                    values[name] = factories[name]()
                else:
                    raise TypeError(f"{kind.__name__} needs a value for {name}")
        return values

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        if len(given) == count and not named and not kw_only:
            self.__dict__.update(zip(names, given))  # noqa: B905 (as long as each other: just compared)
        else:
            self.__dict__.update(complete(given, named))
        if settle:
            self.__post_init__()

    return __init__


def _representation(shown: tuple[str, ...]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    return __repr__


def _compared(kind: Any, options: dict[str, _Field], frozen: bool) -> None:
    key = _key(tuple(name for name, each in options.items() if each.compare))

    def __eq__(self: Any, other: Any) -> Any:
        if self is other:
            return True
        return key(self) == key(other) if type(other) is type(self) else NotImplemented

    kind.__eq__ = __eq__
    if "__hash__" in kind.__dict__ and kind.__dict__["__hash__"] is not None:
        return
    if frozen:
        hashed = _key(tuple(name for name, each in options.items() if each.compare and each.hash))
        kind.__hash__ = _remembered(hashed)
        kind.__getstate__ = _state
    else:
        kind.__hash__ = None


def _remembered(hashed: Callable[[Any], Any]) -> Callable[[Any], int]:
    """A record that is never changed has one hash; types of arrays of processes are large, and are asked for it often."""

    def __hash__(self: Any) -> int:
        known: dict[str, Any] = self.__dict__
        found: int | None = known.get(_HASH)
        if found is None:
            found = known[_HASH] = hash(hashed(self))
        return found

    return __hash__


def _state(self: Any) -> dict[str, Any]:
    """For other processes, where strings have other hashes."""
    return {name: value for name, value in self.__dict__.items() if name != _HASH}


def _key(names: tuple[str, ...]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda node: ()


def _refuse(self: Any, name: str, value: Any = None) -> None:
    raise AttributeError(f"a {type(self).__name__} is never changed: {name}")
