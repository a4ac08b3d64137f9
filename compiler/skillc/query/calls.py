"""Whether a function is called as it can be: a known name, as many arguments as it takes, each of its sort."""

from __future__ import annotations

from skillc.grammar.query import Call, Expression, Fault, Word, parts_of, text_of
from skillc.query.functions import SIGNATURES
from skillc.query.names import Names
from skillc.resemblance import Known
from skillc.wording import say, series

_DIGITS = 9


def fault_of(call: Call, names: Names) -> Fault | None:
    """What is wrong with a call, apart from the sets that it is given."""
    signature = SIGNATURES.get(call.name)
    if signature is None:
        return _unknown(call)
    count, most = len(call.arguments), len(signature.takes)
    if not most - signature.optional <= count <= most:
        message = say("`{name}` cannot be called with {count} arguments", name=call.name, count=count)
        return Fault(message, _form(call), call.start, call.end)
    for takes, argument in zip(signature.takes, call.arguments, strict=False):
        fault = None if takes == "set" else _argument_fault(call, takes, argument, names)
        if fault:
            return fault
    return None


def sets_of(call: Call) -> list[Expression]:
    """The arguments of a sound call that are sets."""
    takes = SIGNATURES[call.name].takes
    return [part for kind, part in zip(takes, call.arguments, strict=False) if kind == "set"]


def _unknown(call: Call) -> Fault:
    near = Known(SIGNATURES).nearest(call.name.lower())
    known = say("the functions are {names}", names=series(f"`{name}`" for name in SIGNATURES))
    help = say("did you mean `{near}`?", near=near) if near else known
    return Fault(say("there is no function `{name}`", name=call.name), help, call.start, call.end)


def _argument_fault(call: Call, takes: str, argument: Expression, names: Names) -> Fault | None:
    """What is wrong with an argument that is a number or a name."""
    if not isinstance(argument, Word):
        message = say("`{name}` takes a single word here", name=call.name)
        return Fault(message, _form(call), *_place(argument))
    if takes == "number":
        text = argument.text
        if text.isascii() and text.isdigit() and len(text) <= _DIGITS:
            return None
        message = say("`{text}` is no depth: a depth is a number of steps, from 0 on", text=text)
        return Fault(message, _form(call), argument.start, argument.end)
    if takes == "attribute":
        return names.attribute(argument)
    name = "kind" if takes == "kind" else text_of(call.arguments[0])
    found = names.valued(argument, name, argument.text)
    return found if isinstance(found, Fault) else None


def _form(call: Call) -> str:
    signature = SIGNATURES[call.name]
    if signature.example:
        return say("write `{form}`, as in `{example}`", form=signature.form, example=signature.example)
    return say("write `{form}`", form=signature.form)


def _place(expression: Expression) -> tuple[int, int]:
    """Where the first thing of an expression is written."""
    while not isinstance(expression, Word | Call):
        expression = parts_of(expression)[0]
    return expression.start, expression.end
