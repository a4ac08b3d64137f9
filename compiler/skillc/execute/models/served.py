"""A model server as a client: the way to ask for a form, retries, time, and what is told meanwhile (SPEC 12.4)."""

from __future__ import annotations

import time
from collections.abc import Callable

from skillc.execute.envelope import ReplyError, find_object
from skillc.execute.models.answer import Answer
from skillc.execute.models.deadline import Overdue, call_within
from skillc.execute.models.form import Form, fits
from skillc.execute.models.ladder import AUTO_TOOL, FORCED_TOOL, JSON_OBJECT, JSON_SCHEMA, TEXT, Ladder
from skillc.execute.models.protocol import Completion, FailedCall, ModelError, Request, StepDown
from skillc.execute.models.retrying import Budget, delay_before, pause
from skillc.execute.models.sending import Sending, Transport
from skillc.execute.models.wire import Refused, Wire


class ServedModel:
    """One profile's model behind `transport`. `timeout` is for one answer in all, the retries (at most `max_retries`)
    and the pauses between them included."""

    def __init__(
        self,
        transport: Transport,
        wire: Wire,
        ladder: Ladder,
        *,
        profile: str,
        model: str,
        timeout: float = 120,
        max_retries: int = 2,
        streaming: bool = True,
        wait: Callable[[float], None] = pause,
    ) -> None:
        self._transport = transport
        self._wire = wire
        self._ladder = ladder
        self._profile = profile
        self._model = model
        self._timeout = timeout
        self._retries = max_retries
        self._streaming = streaming
        self._wait = wait

    def complete(self, request: Request) -> Completion:
        """The model's answer by the best way that works. A way that the server refuses is stepped down at once, one
        that it ignores with the next request; both are remembered and told once a lower one has worked."""
        budget = Budget(self._timeout)
        refused: list[tuple[str, str]] = []
        ways = self._ladder.usable(request.form is not None)
        for way in ways:
            try:
                answer = self._whichever(request, way, budget, way == ways[-1])
            except Refused as problem:
                refused.append((way, str(problem)))
                if way == ways[-1]:
                    raise
                continue
            for before, why in refused:
                self._step_down(request, before, why)
            ignored = _ignored(answer, way, request.form)
            if ignored:
                self._step_down(request, way, f"the server ignores it: {ignored}")
            return self._completion(answer, way, request.form)
        raise AssertionError(ways)

    def _step_down(self, request: Request, way: str, why: str) -> None:
        to = self._ladder.drop(way)
        if to is not None:
            request.observer.stepped_down(StepDown(self._profile, way, to, why))

    def _whichever(self, request: Request, way: str, budget: Budget, last: bool) -> Answer:
        """An answer in pieces; in one where the server refuses every way to ask for pieces."""
        try:
            return self._patiently(request, way, budget)
        except Refused:
            if not (last and self._streaming):
                raise
        self._streaming = False
        try:
            return self._patiently(request, way, budget)
        except ModelError:
            self._streaming = True
            raise

    def _patiently(self, request: Request, way: str, budget: Budget) -> Answer:
        """One answer by `way`, tried again where that may help and there is time."""
        retry = 0
        while True:
            try:
                return self.once(request, way, budget.left)
            except KeyboardInterrupt:
                request.observer.failed(FailedCall("interrupted", way, self._profile, self._model))
                raise
            except ModelError as problem:
                problem.reported = True
                request.observer.failed(FailedCall(problem.kind, way, self._profile, self._model))
                retry += 1
                if not problem.again or retry > self._retries:
                    raise
                delay = delay_before(retry, problem.wait)
                if delay >= budget.left:
                    raise
                self._wait(delay)

    def once(self, request: Request, way: str, seconds: float) -> Answer:
        """One try. ModelError of kind timed-out where it takes longer than `seconds`."""
        count = [0]
        told = [0]

        def seen(characters: int) -> None:
            count[0] = characters

        def beat() -> None:
            if count[0] != told[0]:
                told[0] = count[0]
                request.observer.progress(told[0])

        sending = Sending(request.messages, way, request.form, seconds, request.static, self._streaming)
        begun = time.monotonic()
        try:
            answer = call_within(
                seconds, lambda: self._transport.send(sending, seen), beat, sending.handle.abandon
            )
        except Overdue:
            raise self._wire.error("timed-out", "did not answer in time") from None
        except ModelError as problem:
            if problem.kind == "timed-out" or time.monotonic() - begun < seconds:
                raise
            raise self._wire.error("timed-out", "did not answer in time") from None
        return self._wire.without_key(answer)

    def _completion(self, answer: Answer, way: str, form: Form | None) -> Completion:
        named = form is not None and (bool(answer.calls) or way == JSON_SCHEMA)
        return Completion(
            text=answer.text or "\n".join(call.arguments for call in answer.calls),
            finish_reason=answer.finish_reason,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            cached_tokens=answer.cached_tokens,
            way=way,
            calls=answer.calls,
            names=form.names if form is not None and named else {},
            cache_written_tokens=answer.cache_written_tokens,
            profile=self._profile,
            model=self._model,
        )


def _ignored(answer: Answer, way: str, form: Form | None) -> str | None:
    """How an answer shows that the server did not mind how it was asked; None where it does not.

    An answer that was cut off or is blank shows nothing: servers that mind send such ones, too.
    """
    if answer.finish_reason == "length" or way in (TEXT, AUTO_TOOL):
        return None
    if way == FORCED_TOOL:
        return None if answer.calls or not answer.text.strip() else "it called no tool"
    if not answer.text.strip() or answer.calls:
        return None
    found = find_object(answer.text)
    if isinstance(found, ReplyError) and found.kind == "truncated":
        return None
    if way == JSON_OBJECT:
        return None if isinstance(found, dict) or "{" in answer.text else "it sent no JSON"
    if form is not None and not (isinstance(found, dict) and fits(found, form.schema)):
        return "what it sent does not fit the schema"
    return None
