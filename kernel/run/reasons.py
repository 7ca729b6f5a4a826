"""Why an answer is what it is: clauses that fired or were excepted, and the values below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from kernel.run.explain import Part
    from kernel.run.game import Game
    from kernel.world.world import World


@frozen(slots=True)
class Reason:
    """One reason: an address (empty where no case says it), words, and where the rule stands."""

    address: str
    text: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.address}: {self.text}" if self.address else self.text


@frozen(slots=True)
class Fired:
    """A clause and what became of it: `fired`, `excepted` or `silent`."""

    address: str
    title: str
    status: str
    place: str
    value: str = ""
    parts: tuple[Part, ...] = ()


@frozen(slots=True)
class Answer:
    """An answered question with its clauses, and the questions asked on the way."""

    question: str
    args: tuple[str, ...]
    value: Any
    words: str
    clauses: tuple[Fired, ...]
    below: tuple[Answer, ...] = ()

    @property
    def because(self) -> tuple[str, ...]:
        """The addresses of the clauses that decided, here and below."""
        own = [each.address for each in self.clauses if each.status == "fired"]
        return (*own, *(address for answer in self.below for address in answer.because))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, indent: str = "") -> list[str]:
        """The answer as indented lines of text."""
        head = f"{indent}{self.question}({', '.join(self.args)}) = {self.words}"
        found = [head]
        for each in self.clauses:
            if each.status == "silent":
                continue
            mark = "  " if each.status == "fired" else "not "
            value = f"{each.value}  " if each.value and each.status == "fired" else ""
            found.append(f"{indent}  {mark}{value}{each.address}  {each.title}  {each.place}".rstrip())
            found += [f"{indent}        {part.text} = {part.value}" for part in each.parts]
        for answer in self.below:
            found += answer.lines(indent + "    ")
        return found


def answered(game: Game, entries: list[Any], world: World) -> Answer:
    """The last entry of a trace, with the entries before it as what was asked on the way."""
    made: list[Answer] = []
    for question, args, value, fired, excepted in entries:
        spec = game.program.questions[question]
        clauses = []
        parts: tuple[Part, ...]
        for index, (address, title, message, _, place) in enumerate(spec.clauses):
            bit = 1 << index
            status = "excepted" if excepted & bit else "fired" if fired & bit else "silent"
            value_words, parts = "", ()
            if status != "silent" and spec.what == "section":
                try:
                    value_words, parts = game.ruleset.explainer.clause(question, address, args, world)
                except Exception:  # worked out on its own, it may fail, or rest on what is hidden
                    value_words, parts = "", ()
            clauses.append(Fired(address, message or title, status, place, value_words, parts))
        words = game.words(spec.type, value)
        shown = tuple(game.words(kind, arg) for (_, kind), arg in zip(spec.params, args, strict=True))
        made.append(Answer(question, shown, value, words, tuple(clauses), ()))
    last = made[-1]
    return Answer(last.question, last.args, last.value, last.words, last.clauses, tuple(made[:-1]))
