"""The reply protocol: what a model answered, checked against what its worker may write.

One bad key and nothing is taken (SPEC 12.3); the error names every bad key and the nearest tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import category

from skillc.artifact.codec import canonical
from skillc.artifact.plan import WorkerPlan
from skillc.execute.envelope import LENGTH_LIMIT, ReplyError, find_object
from skillc.runtime.role import is_role
from skillc.tags import ROLE, Pattern, bind, matches

SUMMARY_LENGTH = 50
MOST_QUESTIONS = 12
"""Questions that anybody asks at once, worker or orchestrator."""
LONGEST_QUESTION = 2_000
"""Characters of one question."""
DEEPEST = 32
_PROTOCOL_KEYS = ("outputs", "summary", "askUser")


@dataclass(frozen=True, slots=True)
class Reply:
    """Texts by the tag they are written to, a summary, questions to the user, notes on what was adjusted."""

    outputs: Mapping[str, str]
    summary: str = ""
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def parse_reply(
    text: str, worker: WorkerPlan, role: str | None = None, finish_reason: str | None = None
) -> Reply | ReplyError:
    """The reply in `text` for a run of `worker`, or why there is none (SPEC 12.3).

    Kinds of refusal: empty, truncated, length-limit, not-json, ambiguous, duplicate-key, bad-shape, undeclared-tag, blank-text,
    asks-too-much.
    """
    if finish_reason == "length":
        return LENGTH_LIMIT
    found = find_object(text)
    if isinstance(found, ReplyError):
        return found
    return read_reply(found, worker, role)


def read_reply(data: Mapping[str, object], worker: WorkerPlan, role: str | None) -> Reply | ReplyError:
    """`parse_reply` for a reply that is data already, as a host's program gives it."""
    if not any(key in data for key in _PROTOCOL_KEYS):
        return ReplyError("bad-shape", "the JSON object has none of the keys `outputs`, `summary`, `askUser`")
    entries = _entries(data.get("outputs"))
    questions = _questions(data.get("askUser"))
    summary = data.get("summary")
    if isinstance(entries, ReplyError):
        return entries
    if isinstance(questions, ReplyError):
        return questions
    if summary is not None and not isinstance(summary, str):
        return ReplyError("bad-shape", "`summary` is not a text")
    if questions:  # who asks has not written yet: a blank there is no text gone wrong
        entries = [(key, None if _is_blank_text(value) else value) for key, value in entries]
    outputs = _outputs(entries, worker, role)
    if isinstance(outputs, ReplyError):
        return outputs
    notes = [f"the key `{key}` is not part of a reply" for key in data if key not in _PROTOCOL_KEYS]
    notes += [f"`{key}` is null: nothing is written" for key, value in entries if value is None]
    summary = (summary or "").strip()
    if len(summary) > SUMMARY_LENGTH:
        notes.append(f"the summary has {len(summary)} characters and was cut to {SUMMARY_LENGTH}")
    return Reply(outputs, summary[:SUMMARY_LENGTH], questions, tuple(notes))


def _entries(outputs: object) -> list[tuple[str, object]] | ReplyError:
    """Keys and values of `outputs`: a mapping, or the list form `[{tag, text}]` (SPEC 12.4)."""
    if outputs is None:
        return []
    if isinstance(outputs, Mapping):
        return [(str(key), value) for key, value in outputs.items()]
    if not isinstance(outputs, list):
        return ReplyError("bad-shape", "`outputs` is no mapping of tags to texts")
    rows: list[tuple[str, object]] = []
    for row in outputs:
        if not isinstance(row, Mapping) or set(row) != {"tag", "text"} or not isinstance(row["tag"], str):
            return ReplyError("bad-shape", "an entry of the list `outputs` is not of the form {tag, text}")
        rows.append((row["tag"], row["text"]))
    return rows


def _questions(value: object) -> tuple[str, ...] | ReplyError:
    if value is None:
        return ()
    if not isinstance(value, list):
        return ReplyError("bad-shape", "`askUser` is neither null nor a list of questions")
    if not all(isinstance(question, str) and question.strip() for question in value):
        return ReplyError("bad-shape", "a question of `askUser` is blank or not a text")
    if len(value) > MOST_QUESTIONS:
        return ReplyError("asks-too-much", f"`askUser` asks at most {MOST_QUESTIONS} questions at once")
    if any(len(question) > LONGEST_QUESTION for question in value):
        return ReplyError("asks-too-much", f"a question has at most {LONGEST_QUESTION:,} characters")
    return tuple(value)


def _outputs(
    entries: Iterable[tuple[str, object]], worker: WorkerPlan, role: str | None
) -> dict[str, str] | ReplyError:
    permitted = bound_outputs(worker, role)
    aliases = {alias: target.replace(ROLE, role or ROLE) for alias, target in worker.aliases.items()}
    outputs: dict[str, str] = {}
    seen: dict[str, str] = {}
    bad: list[str] = []
    blank: list[str] = []
    for key, value in entries:
        tag = aliases.get(key, key)
        if not is_instance(tag, permitted):
            bad.append(key)
        elif tag in seen:
            return ReplyError("duplicate-key", f"`{seen[tag]}` and `{key}` both write `{tag}`")
        elif _is_blank_text(value):
            blank.append(key)
        elif value is not None:
            outputs[tag] = value if isinstance(value, str) else canonical(value).decode()
        seen[tag] = key
    if bad:
        return ReplyError("undeclared-tag", _undeclared(bad, worker, permitted, aliases))
    if blank:
        names = ", ".join(f"`{key}`" for key in blank)
        return ReplyError("blank-text", f"the text of {names} is blank; null or no key writes nothing")
    return outputs


def _is_blank_text(value: object) -> bool:
    return isinstance(value, str) and is_blank(value)


def is_blank(text: str) -> bool:
    """Whether nobody sees anything in `text`: it holds blanks and invisible characters only."""
    return all(char.isspace() or category(char) in ("Cc", "Cf") for char in text)


def bound_outputs(worker: WorkerPlan, role: str | None) -> tuple[Pattern, ...]:
    """What `worker` may write in a run of `role` (SPEC 8.3)."""
    if role is None:
        return tuple(worker.outputs)
    return tuple(bind(pattern, role, worker.isolation == "role_pov") for pattern in worker.outputs)


def is_instance(tag: str, patterns: Iterable[Pattern]) -> bool:
    """Whether `tag` is a well-formed concrete tag of one of `patterns`; `{id}` left unbound gives none."""
    return is_tag(tag) and any(not p.has_role and matches(p, tag) for p in patterns)


def is_tag(text: str) -> bool:
    """Whether `text` has the form of a tag (SPEC 3.1): what a model wrote is checked like source."""
    name, mark, slot = text.partition("#")
    segments = name.split(".")
    return len(segments) <= DEEPEST and all(map(is_role, segments)) and (not mark or is_role(slot))


def _undeclared(
    bad: Iterable[str], worker: WorkerPlan, permitted: Iterable[Pattern], aliases: Mapping[str, str]
) -> str:
    names = [pattern.text for pattern in permitted]
    if not names:
        return f"`{worker.id}` writes no tags, but the reply has {', '.join(f'`{key}`' for key in bad)}"
    known = [*names, *aliases]
    wrong = list(bad)
    hints = ", ".join(f"`{key}`" for key in wrong)
    near = ", ".join(f"`{nearest(key, known)}`" for key in wrong)
    return f"`{worker.id}` may not write {hints} (nearest {near}); nothing was written"


def nearest(name: str, known: Iterable[str]) -> str:
    """The one of `known` most like `name`; the first of equals."""
    return max(known, key=lambda candidate: SequenceMatcher(None, name, candidate).ratio())
