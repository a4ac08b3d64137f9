"""The words of sessions as people read them: what is waited for, how far a package is, who decided what, what was wrong
with a reply. In English they are the words of the format itself, which programs get in every language."""

from __future__ import annotations

from collections.abc import Mapping

from skillc.wording import Said, say

PHASES: Mapping[str, str] = {
    "idle": say("not begun"),
    "running": say("under way"),
    "waiting_user": say("waits for the user"),
    "done": say("done"),
    "error": say("stopped by an error"),
}

_REASONS = (
    say("skill_selection"),
    say("intake"),
    say("input"),
    say("approve_step"),
    say("review_artifact"),
    say("worker_questions"),
    say("revision"),
)
_REFUSING = (say("idle"), say("running"))
"""The phases that a session names when it refuses what cannot be done now."""
_STAGES = (say("design"), say("play"), say("done"))
_ANSWERS = (say("answer"), say("accept"), say("reject"), say("edit"), say("refused"))
_DECISIONS = (
    say("ask_user"),
    say("run_worker"),
    say("create_temp_worker"),
    say("review_blackboard"),
    say("finish"),
)
_LOOKS = (say("read_blackboard"), say("list_workers"), say("list_artifacts"))
_VERDICTS = (say("pass"), say("fail"))
_FAULTS_OF_REPLIES = (
    say("ambiguous"),
    say("asks-too-much"),
    say("bad-arguments"),
    say("bad-order"),
    say("bad-shape"),
    say("bad-side-effects"),
    say("bad-tool"),
    say("bad-variables"),
    say("blank-text"),
    say("duplicate-key"),
    say("empty"),
    say("length-limit"),
    say("no-arguments"),
    say("no-tool"),
    say("not-json"),
    say("truncated"),
    say("two-calls"),
    say("undeclared-tag"),
    say("unknown-tool"),
)
_FAULTS_OF_CALLS = (
    say("bad-key"),
    say("bad-profile"),
    say("bad-response"),
    say("cut-stream"),
    say("failed"),
    say("interrupted"),
    say("leaked-key"),
    say("no-key"),
    say("no-model"),
    say("no-package"),
    say("no-profile"),
    say("no-recording"),
    say("rate-limited"),
    say("recording"),
    say("refused-key"),
    say("script"),
    say("scripted"),
    say("server-error"),
    say("timed-out"),
    say("unreachable"),
)
_FAULTS = (*_FAULTS_OF_REPLIES, *_FAULTS_OF_CALLS)
_WORDS: Mapping[str, Said] = {
    said.template: said
    for said in (*_REASONS, *_REFUSING, *_STAGES, *_ANSWERS, *_DECISIONS, *_LOOKS, *_VERDICTS, *_FAULTS)
}


def word(of_format: object) -> str:
    """A word of the format as it is told; one that nobody here knows, as it is.

    >>> word("intake"), word("moved-by-hand")
    ('intake', 'moved-by-hand')
    """
    return _WORDS.get(str(of_format), str(of_format))
