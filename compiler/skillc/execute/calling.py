"""The calls of one turn: each is kept as a row, the failed ones too, and what happens meanwhile is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from skillc.execute.models.parts import Part, shared
from skillc.execute.models.protocol import (
    Completion,
    FailedCall,
    ModelClient,
    ModelError,
    Observer,
    Request,
    StepDown,
)
from skillc.execute.records import CallRow

Keep = Callable[[CallRow], None]
OK = "ok"


@dataclass(frozen=True, slots=True)
class Failure:
    """No reply; one sentence why."""

    message: str


class Calls(Observer):
    """Calls `client` for a worker in one turn. `keep` takes the rows, `tell` what is to be shown at once (a kind and its
    data), `earlier` are the rows of this session so far."""

    def __init__(
        self,
        client: ModelClient,
        worker: str,
        role: str | None,
        keep: Keep = lambda _: None,
        tell: Callable[..., None] = lambda *_, **__: None,
        earlier: Sequence[CallRow] = (),
    ) -> None:
        self._client = client
        self._who = {"worker": worker, "role": role}
        self._keep = keep
        self._tell = tell
        self._earlier = list(earlier)
        self._number = 0
        self._parts: Sequence[Part] = ()

    def complete(self, request: Request) -> Completion | Failure:
        """The border to whatever the host uses as a model: nothing it raises may damage the session. A completion
        is kept once it is `judged`."""
        self._parts = request.parts
        try:
            return self._client.complete(request)
        except ModelError as problem:
            if not problem.reported:
                self.failed(FailedCall(problem.kind, "none", request.profile))
            return Failure(str(problem))
        except Exception as problem:  # noqa: BLE001
            self.failed(FailedCall("failed", "none", request.profile))
            return Failure(f"the model of `{request.worker}` failed: {type(problem).__name__}")

    def judged(self, completion: Completion, outcome: str = OK) -> None:
        """Keep the call that gave `completion`; `outcome` is `ok`, or the kind of what is wrong with its reply."""
        profile = completion.profile
        self._add(
            profile=profile,
            model=completion.model,
            way=completion.way,
            outcome=outcome,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            cached_tokens=completion.cached_tokens,
            cache_written_tokens=completion.cache_written_tokens,
            predicted_tokens=self._predicted(profile, completion.prompt_tokens),
            parts=tuple((part.digest, part.tokens) for part in self._parts),
        )

    def _predicted(self, profile: str | None, prompt_tokens: int) -> int:
        """How many of `prompt_tokens` the server is expected to have cached: the share, by the estimator, of what
        begins like the last call of the same profile and worker; that of the same role, where it called before."""
        total = sum(part.tokens for part in self._parts)
        known = [
            row
            for row in self._earlier
            if row.parts and (row.profile, row.worker) == (profile, self._who["worker"])
        ]
        own = [row for row in known if row.role == self._who["role"]] or known
        return prompt_tokens * shared(self._parts, own[-1].parts) // total if own and total else 0

    def failed(self, call: FailedCall) -> None:
        self._add(profile=call.profile, model=call.model, way=call.way, outcome=call.kind)

    def stepped_down(self, step: StepDown) -> None:
        self._tell("stepped_down", **self._who, profile=step.profile, way=step.way, to=step.to, why=step.why)

    def progress(self, characters: int) -> None:
        self._tell("progress", **self._who, characters=characters)

    def _add(self, **fields: object) -> None:
        self._number += 1
        row = CallRow.model_validate({**self._who, "attempt": self._number, **fields})
        self._earlier.append(row)
        self._keep(row)
