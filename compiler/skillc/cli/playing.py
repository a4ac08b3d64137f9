"""A session at the terminal: prints what happens, asks the user, says how to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TextIO

from skillc.cli.account import Account
from skillc.cli.conversation import Conversation, RunFailed, Unanswered
from skillc.cli.keyboard import Prompt, forget_typed
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.models.scripted import Script, ScriptError, read_script
from skillc.execute.playback import Playback
from skillc.execute.profiles import ProfiledClient, ProfileError, check_profiles, check_usable, load_profiles
from skillc.execute.records import SessionSummary
from skillc.execute.session import Session, SessionRefused
from skillc.execute.store import Store, StoreConflict, StoreCorrupt, StoreError, open_store
from skillc.report.language import ENGLISH, Words
from skillc.runtime import RunnablePlan
from skillc.wording import say, series

DONE, FAILED, USAGE, CORRUPT = 0, 1, 2, 3
_GIVE_A_MODEL = say("give --profile ID (one of profiles.json) or --script FILE")


@dataclass(frozen=True)
class Options:
    """What the user asked `run` for."""

    store_path: str
    script: Mapping[str, object] | None
    profiles: object | None
    profile: str | None
    rounds: int | None
    resume: str | None
    board: Mapping[str, object] | None
    accept_change: bool
    interactive: bool
    full: bool
    given: Sequence[str]


def run_command(
    plan: RunnablePlan,
    *,
    store_path: str,
    script: Mapping[str, object] | None = None,
    profiles: object | None = None,
    profile: str | None = None,
    rounds: int | None = None,
    resume: str | None = None,
    board: Mapping[str, object] | None = None,
    accept_change: bool = False,
    interactive: bool = False,
    full: bool = False,
    given: Sequence[str] = (),
    out: TextIO,
    prompt: Prompt = input,
    words: Words = ENGLISH,
) -> int:
    """Run or resume a session of `plan` and print its account to `out`.

    With a script its entries answer instead of the user; `given` are the options that a command to go on needs
    again. Exit codes: 0 done or suspended, 1 the run
    failed, 2 something given does not fit, 3 the store is corrupt.
    """
    options = Options(
        store_path, script, profiles, profile, rounds, resume, board, accept_change, interactive, full, given
    )
    account = Account(plan, out, given, words)
    try:
        return _run(plan, options, account, prompt)
    except StoreCorrupt as problem:
        account.refused(problem)
        return CORRUPT
    except (ScriptError, ProfileError, SessionRefused, StoreError) as problem:
        account.refused(problem)
        return FAILED if isinstance(problem, StoreConflict) else USAGE


def _run(plan: RunnablePlan, options: Options, account: Account, prompt: Prompt) -> int:
    script = None if options.script is None else read_script(options.script, _script_name(options.given))
    playback = None if script is None else Playback(script)
    client = playback.client if playback else _client(plan, options)
    store = open_store(options.store_path)
    session = _session(plan, options, script, client, store, account, playback)
    talk = Conversation(session, account, playback, prompt, options.interactive, forget_typed)
    try:
        talk.converse()
    except (Unanswered, KeyboardInterrupt, EOFError):
        account.suspended(session)
        return DONE
    except (RunFailed, StoreConflict) as problem:
        account.failed(session, problem.args[0] if problem.args else "")
        return FAILED
    if session.status.phase == "error":
        message = session.status.error or ""
        if isinstance(client, NoModel):
            message = say("{message}: {way_out}", message=account.retold(message), way_out=_GIVE_A_MODEL)
        account.failed(session, message)
        return FAILED
    account.done(session, options.full)
    left = list(playback.client.left_over) if playback else []
    if left:
        account.line(
            say("error: the script has replies that nobody asked for: {names}", names=", ".join(left))
        )
    return FAILED if left else DONE


def _no_session(store: Store, named: str, package: str) -> str:
    """Which sessions there are instead: those of the package that can go on."""
    open_ones = [one for one in store.sessions() if one.package == package and one.phase != "done"]
    there = series(
        say("{id} ({standing}, of {time})", id=one.id, standing=_standing(one), time=one.created_at[:16])
        for one in open_ones
    )
    return say(
        "the store `{store}` has no session `{named}`; of `{package}` can go on: {sessions}",
        store=store.path,
        named=named,
        package=package,
        sessions=there or say("none"),
    )


def _standing(session: SessionSummary) -> str:
    return say("waiting: {reason}", reason=session.reason) if session.reason else session.phase


def _script_name(given: Sequence[str]) -> str:
    """What the script is called in sentences: its file, where one was named."""
    after = dict(pairwise(given))
    return f"`{after['--script']}`" if "--script" in after else say("the script")


def _client(plan: RunnablePlan, options: Options) -> ModelClient:
    if options.profiles is None:
        needing = next((worker.id for worker in plan.workers.values() if worker.actor == "llm"), None)
        if options.interactive and options.resume is None and needing is not None:
            raise ProfileError(
                say("worker `{worker}` needs a model: {way_out}", worker=needing, way_out=_GIVE_A_MODEL)
            )
        return NoModel()
    profiles = load_profiles(options.profiles, options.profile)
    check_profiles(plan, profiles)
    check_usable(plan, profiles)
    return ProfiledClient(profiles)


def _session(
    plan: RunnablePlan,
    options: Options,
    script: Script | None,
    client: ModelClient,
    store: Store,
    account: Account,
    playback: Playback | None,
) -> Session:
    rounds = options.rounds if options.rounds is not None else script.rounds if script else None
    if rounds is not None and rounds < 1:
        raise SessionRefused(say("a session plays at least one round, not {rounds}", rounds=rounds))
    if options.resume is None:
        return Session.open(
            store,
            plan,
            client,
            board=options.board,
            rounds=rounds or 1,
            on_event=account.show,
            playback=playback,
        )
    if options.board is not None:
        raise SessionRefused(say("a board seeds a new session; it cannot be given to one that is resumed"))
    if all(one.id != options.resume for one in store.sessions()):
        raise SessionRefused(_no_session(store, options.resume, plan.package.path))
    return Session.resume(
        store,
        options.resume,
        plan,
        client,
        rounds=rounds,
        on_event=account.show,
        accept_change=options.accept_change,
        playback=playback,
    )
