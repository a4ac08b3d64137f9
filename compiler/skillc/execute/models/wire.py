"""What an official client raises, and what a server sends in place of an answer, as ModelErrors in our own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from skillc.execute.models.answer import Answer, BadAnswer, CutOff, ServerSaid
from skillc.execute.models.protocol import ModelError
from skillc.execute.models.retrying import wanted_delay

SHORTEST_SECRET = 12
"""Characters of a key that is looked for in answers."""
NOT_THIS_WAY = (400, 415, 422, 501)
"""What servers say to a way of asking that they do not know."""
_NETWORK = ("httpx", "httpx2", "httpcore", "httpcore2")


class Refused(ModelError):
    """The server does not take the request as it is; another way of asking may help."""


class Wire:
    """Errors of one profile's server. `key` never shows in them."""

    def __init__(self, name: str, key: str) -> None:
        self._name = name
        self._key = key

    def safe(self, reason: str) -> str:
        """A server's own words, short and without the key in them."""
        return " ".join(reason.replace(self._key, "…").split())[:200]

    def without_key(self, answer: Answer) -> Answer:
        """`answer`, unless the server sent the key back in it: what was answered is stored, shown and recorded, so of
        such a one nothing is taken. A placeholder for servers that need none (`none`, `ollama`) is no secret."""
        said = (answer.text, answer.finish_reason or "")
        calls = [part for call in answer.calls for part in (call.name, call.arguments)]
        if len(self._key) >= SHORTEST_SECRET and any(self._key in text for text in (*said, *calls)):
            raise self.error("leaked-key", "sent the key back in its answer; nothing of that is kept")
        return answer

    def error(self, kind: str, what: str, **more: Any) -> ModelError:
        return ModelError(kind, f"the model server of profile `{self._name}` {what}", **more)

    @contextmanager
    def told(self, sdk: Any) -> Iterator[None]:
        """Whatever goes wrong inside is a ModelError; `sdk` is the official package, whose errors are known by name."""
        try:
            yield
        except ModelError:
            raise
        except BadAnswer as problem:
            raise self.error("bad-response", str(problem)) from None
        except CutOff:
            raise self.error("cut-stream", "broke its answer off in the middle", again=True) from None
        except ServerSaid as problem:
            raise self.error("refused", f"answered with an error: {self.safe(str(problem))}") from None
        except sdk.APITimeoutError:
            raise self.error("timed-out", "did not answer in time") from None
        except sdk.APIConnectionError:
            raise self.error("unreachable", "cannot be reached", again=True) from None
        except sdk.APIStatusError as problem:
            raise self._status(problem.status_code, problem.message, problem.response.headers) from None
        except sdk.APIError:
            raise self.error("bad-response", "sent an answer that cannot be read") from None
        except Exception as problem:
            if isinstance(problem, OSError) or type(problem).__module__.split(".")[0] in _NETWORK:
                raise self.error("cut-stream", "broke its answer off in the middle", again=True) from None
            raise

    def _status(self, status: int, message: str, headers: Mapping[str, str]) -> ModelError:
        again = headers.get("x-should-retry") != "false"
        wait = wanted_delay(headers)
        if status in (401, 403):
            return self.error("refused-key", "refused the key")
        if status == 429:
            return self.error("rate-limited", "takes no more requests for now (429)", again=again, wait=wait)
        if status in (408, 409) or (status >= 500 and status not in NOT_THIS_WAY):
            return self.error("server-error", f"failed ({status})", again=again, wait=wait)
        kind = Refused if status in NOT_THIS_WAY else ModelError
        reason = self.safe(message)
        return kind(
            "refused", f"the model server of profile `{self._name}` refused the request ({status}): {reason}"
        )
