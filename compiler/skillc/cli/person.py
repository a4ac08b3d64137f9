"""A person in place of the model: reads the prompt of a worker, and types or pastes its reply (SPEC 12.3)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping

from skillc.artifact.plan import WorkerPlan
from skillc.cli.keyboard import Prompt, read_text
from skillc.execute.envelope import find_object
from skillc.execute.models.protocol import Completion, Message, ModelError, Request
from skillc.execute.reply import bound_outputs
from skillc.report.reasons import reason
from skillc.runtime import RunnablePlan
from skillc.store.files import write_atomic
from skillc.wording import say

PROMPTS = "prompts"
_FILE = re.compile(r"/file \S.*")
_CUT = range(4092, 4096)
"""Bytes of a line that has been cut: no terminal of Linux gives more, and half a character may be lost as well."""
_KEYS = ("outputs", "askUser")


class LeftOff(KeyboardInterrupt):
    """The person gave no reply: the session stops here and can be resumed."""


class PersonClient:
    """Answers as a model does. The prompt goes into a file of `folder`, since it is long and often pasted elsewhere;
    the reply is checked as any other one. `tell` prints a line, `prompt` reads one."""

    def __init__(self, plan: RunnablePlan, folder: str, tell: Callable[[str], None], prompt: Prompt) -> None:
        self._plan = plan
        self._folder = folder
        self._tell = tell
        self._prompt = prompt

    def complete(self, request: Request) -> Completion:
        """The reply that the person gives. Raises LeftOff when it is blank, ModelError when
        the prompt cannot be written."""
        if request.attempt == 1:
            path = self._written(request)
            self._tell(
                say(
                    "  you write this reply (/file PATH takes it from a file); the prompt is in {path}",
                    path=path,
                )
            )
        return Completion(self._reply(request), "stop", way="person")

    def _reply(self, request: Request) -> str:
        tags = _concrete(self._plan.workers[request.worker], request.role)
        if not tags:
            self._tell(say("  the reply is JSON, as the end of the prompt says"))
            return self._read(say("the reply"))
        first = self._read(say("{tag}, or the whole reply as JSON", tag=tags[0]), blank=len(tags) > 1)
        if _is_whole(first):
            return first
        texts = {tags[0]: first, **{tag: self._read(tag, blank=True) for tag in tags[1:]}}
        outputs = {tag: text for tag, text in texts.items() if text.strip()}
        if not outputs:
            raise LeftOff
        return json.dumps({"outputs": outputs}, ensure_ascii=False)

    def _read(self, what: str, blank: bool = False) -> str:
        text = None
        while text is None:
            text = self._whole(what)
        if not blank and not text.strip():
            raise LeftOff
        return text

    def _whole(self, what: str) -> str | None:
        """What was typed, or the file that it names; None, and said why, where it cannot be what was meant."""
        try:
            text = read_text(self._prompt, what)
            if _FILE.fullmatch(text):
                return _content(text.removeprefix("/file ").strip())
        except EOFError:
            raise LeftOff from None
        except UnicodeDecodeError:
            self._tell(say("  that is not UTF-8"))
            return None
        except OSError as error:
            self._tell(say("  cannot read it: {reason}", reason=reason(error)))
            return None
        if any(len(line.encode("utf-8", "surrogateescape")) in _CUT for line in text.split("\n")):
            self._tell(
                say(
                    "  a line is so long that terminals cut it: put the text into a file, and type /file PATH"
                )
            )
            return None
        return text

    def _written(self, request: Request) -> str:
        """The file that holds the prompt."""
        name = f"{request.worker}.{request.role}" if request.role else request.worker
        path = os.path.join(self._folder, PROMPTS, f"{name}.md")
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            write_atomic(path, _page(request.messages).encode("utf-8", "backslashreplace"))
        except OSError as error:
            said = say("cannot write `{path}`: {reason}", path=path, reason=reason(error))
            raise ModelError("person", said) from error
        return path


def _content(path: str) -> str:
    with open(os.path.expanduser(path), encoding="utf-8-sig") as file:
        return file.read().strip()


def _page(messages: Iterable[Message]) -> str:
    """All messages, each under its role."""
    return "\n".join(f"──── {message['role']} ────\n{message['content']}\n" for message in messages)


def _concrete(worker: WorkerPlan, role: str | None) -> tuple[str, ...]:
    """The tags that the worker writes, where it is fixed which ones they are."""
    outputs = bound_outputs(worker, role)
    return tuple(p.text for p in outputs) if all(p.is_tag for p in outputs) else ()


def _is_whole(text: str) -> bool:
    """Whether a text is meant as a reply of the protocol, damaged or not, and not as the text of one tag."""
    found = find_object(text)
    if isinstance(found, Mapping):
        return any(key in found for key in _KEYS)
    return any(f'"{key}"' in text for key in _KEYS)
