"""The types of the rule language, and which value fits where."""

from __future__ import annotations

from attrs import frozen


@frozen(slots=True)
class Type:
    """A type; `str()` writes it as the language does."""


@frozen(slots=True)
class NumberT(Type):
    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        return "number" if self.low is None or self.low == self.high else f"number from {self.low} to {self.high}"


@frozen(slots=True)
class RatioT(Type):
    """The result of a division that is not rounded yet."""

    def __str__(self) -> str:
        return "fraction"


@frozen(slots=True)
class YesNoT(Type):
    def __str__(self) -> str:
        return "yes/no"


@frozen(slots=True)
class TextT(Type):
    def __str__(self) -> str:
        return "text"


@frozen(slots=True)
class DiceT(Type):
    def __str__(self) -> str:
        return "dice"


@frozen(slots=True)
class EnumT(Type):
    name: str

    def __str__(self) -> str:
        return self.name


@frozen(slots=True)
class KindT(Type):
    """A thing of one of some kinds, named in sorted order."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return " or ".join(self.names)


@frozen(slots=True)
class RecordT(Type):
    name: str

    def __str__(self) -> str:
        return self.name


@frozen(slots=True)
class SetT(Type):
    of: Type

    def __str__(self) -> str:
        return f"set of {inner(self.of)}"


@frozen(slots=True)
class ListT(Type):
    of: Type

    def __str__(self) -> str:
        return f"list of {inner(self.of)}"


@frozen(slots=True)
class MapT(Type):
    key: Type
    value: Type

    def __str__(self) -> str:
        return f"map of {inner(self.key)} to {inner(self.value)}"


@frozen(slots=True)
class NoneT(Type):
    def __str__(self) -> str:
        return "none"


@frozen(slots=True)
class OptionalT(Type):
    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


@frozen(slots=True)
class AnyT(Type):
    """The type of what is already reported as wrong: fits everywhere."""

    def __str__(self) -> str:
        return "anything"


def inner(kind: Type) -> str:
    """A type behind `of` or `to`: one that has an `or` stands in parentheses."""
    return f"({kind})" if " or " in str(kind) and not isinstance(kind, SetT | ListT | MapT) else str(kind)


def article(kind: Type | str) -> str:
    """A type or the name of one with its article: `an Event`, `a set of Kind`."""
    word = str(kind)
    if word in {"yes/no", "none", "dice", "anything"}:
        return word
    return f"{'an' if word[:1].lower() in 'aeio' else 'a'} {word}"


NUMBER, RATIO, YES_NO, TEXT, DICE, NONE, ANY = NumberT(), RatioT(), YesNoT(), TextT(), DiceT(), NoneT(), AnyT()
SIDE = EnumT("Side")


def plain(kind: Type) -> Type:
    """The type without `or none`."""
    return kind.of if isinstance(kind, OptionalT) else kind


def fits(value: Type, wanted: Type) -> bool:
    """Whether a value of one type can stand where another is wanted."""
    match value, wanted:
        case (AnyT(), _) | (_, AnyT()):
            return True
        case NoneT(), OptionalT():
            return True
        case OptionalT(inner), OptionalT(outer):
            return fits(inner, outer)
        case _, OptionalT(outer):
            return fits(value, outer)
        case OptionalT(inner), _:  # a missing value is found in play, at the rule's line
            return fits(inner, wanted)
        case (NumberT() | DiceT(), NumberT() | RatioT()) | (RatioT(), RatioT()):
            return True
        case KindT(names), KindT(allowed):
            return set(names) <= set(allowed)
        case (SetT(inner), SetT(outer)) | (ListT(inner), ListT(outer)) | (ListT(inner), SetT(outer)):
            return _fits_inside(inner, outer)
        case MapT(key, item), MapT(key2, item2):
            return _fits_inside(key, key2) and _fits_inside(item, item2)
    return value == wanted


def _fits_inside(value: Type, wanted: Type) -> bool:
    """As `fits`, for what is held: dice become a number one at a time only."""
    return fits(value, wanted) and not (isinstance(plain(value), DiceT) and isinstance(plain(wanted), NumberT))


def join(first: Type, second: Type) -> Type | None:
    """The smallest type that both fit, or None."""
    if isinstance(first, AnyT):
        return second
    if isinstance(first, NumberT) and isinstance(second, NumberT):
        return first if first == second else NUMBER
    if fits(first, second):
        return second
    if fits(second, first):
        return first
    match first, second:
        case NoneT(), other:
            return OptionalT(other)
        case other, NoneT():
            return OptionalT(other)
        case (OptionalT(inner), other) | (other, OptionalT(inner)):
            both = join(inner, plain(other))
            return OptionalT(both) if both else None
        case KindT(a), KindT(b):
            return KindT(tuple(sorted({*a, *b})))
        case SetT(a), SetT(b):
            of = join(a, b)
            return SetT(of) if of else None
        case ListT(a), ListT(b):
            of = join(a, b)
            return ListT(of) if of else None
    return None


def element(kind: Type) -> Type | None:
    """What a set or list holds, or None when it is neither."""
    kind = plain(kind)
    if isinstance(kind, SetT | ListT):
        return kind.of
    return ANY if isinstance(kind, AnyT) else None


def records_in(kind: Type) -> list[str]:
    """The records that a value of a type holds."""
    match kind:
        case RecordT(name=name):
            return [name]
        case SetT(of=of) | ListT(of=of) | OptionalT(of=of):
            return records_in(of)
        case MapT(key=key, value=value):
            return [*records_in(key), *records_in(value)]
    return []
