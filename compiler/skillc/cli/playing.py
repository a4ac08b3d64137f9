"""A session at the terminal: prints what happens, asks the user, says how to go on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import TextIO

from skillc.cli.account import Account
from skillc.cli.beginning import Beginning, begin
from skillc.cli.conversation import Conversation, RunFailed, Unanswered
from skillc.cli.driving import GIVE_A_MODEL, check_default, check_driver
from skillc.cli.ending import ending_of, markdown
from skillc.cli.keyboard import Prompt, forget_typed
from skillc.cli.modelling import Models, profiled_client, recorded, replayed
from skillc.cli.person import PersonClient
from skillc.cli.readable import title_of
from skillc.cli.session_view import standing
from skillc.cli.shelf import day
from skillc.execute.lease import Lease, held_lease
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.models.scripted import Script, ScriptError, read_script
from skillc.execute.playback import Playback
from skillc.execute.profiles import ProfileError, check_profiles, check_usable, load_profiles
from skillc.execute.recording import RecordingError
from skillc.execute.records import Driver
from skillc.execute.session import Session, SessionRefused
from skillc.execute.spread.plans import keep_plan
from skillc.execute.store import Store, StoreConflict, StoreCorrupt, StoreError, UnknownSession, open_store
from skillc.report.language import ENGLISH, Words
from skillc.report.reasons import reason
from skillc.runtime import RunnablePlan
from skillc.store.files import write_atomic
from skillc.value import replace, value
from skillc.wording import say, series

_NO_TERMINAL = say(
    "standard input is no terminal and was not read: answer at a terminal, or with --script FILE"
)
DONE, FAILED, USAGE, CORRUPT = 0, 1, 2, 3


@value(slots=False)
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
    export: str | None
    folder: str
    book: Beginning | None
    driver: Driver | None
    models: Models


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
    export: str | None = None,
    folder: str = "",
    book: Beginning | None = None,
    driver: Driver | None = None,
    models: Models | None = None,
    out: TextIO,
    prompt: Prompt = input,
    words: Words = ENGLISH,
) -> int:
    """Run or resume a session of `plan` and print its account to `out`.

    With a script its entries answer instead of the user; at a terminal without a script and `profiles` the user
    gives the replies as well. `given` are the options that a command to go on needs again; `export` is the file
    that takes the texts of a session that is done; into `folder` (the store's) go prompts for a person.
    A new session belongs to `book`. `driver`
    says who decides what comes next (None: the scheduler, or who did before). Exit codes: 0 done or suspended, 1 the run failed, 2 something
    given does not fit, or nobody is there to reply, 3 the store is corrupt.
    """
    options = Options(
        store_path,
        script,
        profiles,
        profile,
        rounds,
        resume,
        board,
        accept_change,
        interactive,
        full,
        given,
        export,
        folder or os.path.dirname(store_path),
        book,
        driver,
        models or Models(),
    )
    account = Account(plan, out, given, words)
    try:
        return _run(plan, options, account, prompt)
    except StoreCorrupt as problem:
        account.refused(problem)
        return CORRUPT
    except (ScriptError, ProfileError, RecordingError, SessionRefused, StoreError) as problem:
        account.refused(problem)
        return FAILED if isinstance(problem, StoreConflict) else USAGE


def _run(plan: RunnablePlan, options: Options, account: Account, prompt: Prompt) -> int:
    script = None if options.script is None else read_script(options.script, _script_name(options.given))
    playback = None if script is None else Playback(script)
    client = playback.client if playback else _client(plan, options, account, prompt)
    store = open_store(options.store_path)
    if store.warning:
        account.line(say("warning: {sentence}", sentence=account.retold(store.warning)))
    if options.resume is not None:
        options = replace(options, resume=_whole_id(store, options.resume))
    with ExitStack() as holding:
        lease = None if options.resume is None else _hold(store, options.resume, plan)
        if lease is not None:
            holding.enter_context(lease)
        session = _session(plan, options, script, client, store, account, playback, lease)
        if lease is None:
            session.lease = holding.enter_context(held_lease(store, session.id))
        return _play(plan, options, session, client, playback, account, prompt)


def _play(
    plan: RunnablePlan,
    options: Options,
    session: Session,
    client: ModelClient,
    playback: Playback | None,
    account: Account,
    prompt: Prompt,
) -> int:
    talk = Conversation(session, account, playback, prompt, options.interactive, forget_typed)
    try:
        talk.converse()
    except (Unanswered, KeyboardInterrupt, EOFError) as stop:
        if isinstance(stop, Unanswered):
            account.line(_NO_TERMINAL)
        account.suspended(session)
        return DONE
    except (RunFailed, StoreConflict) as problem:
        account.failed(session, problem.args[0] if problem.args else "")
        return FAILED
    if session.status.phase == "error":
        message = session.status.error or ""
        if isinstance(client, NoModel):
            message = say("{message}: {way_out}", message=account.retold(message), way_out=GIVE_A_MODEL)
        account.failed(session, message)
        return FAILED
    ending = ending_of(plan, session)
    if options.export:
        _export(
            options.export, markdown(title_of(plan.package.description) or plan.package.path, ending.texts)
        )
    account.done(session, ending, options.full, options.export)
    if playback is None and session.can_play_on:
        account.play_on(session)
    left = list(playback.client.left_over) if playback else []
    if left:
        account.line(say("error: the script has replies that nobody asked for: {names}", names=series(left)))
    return FAILED if left else DONE


def _export(path: str, text: str) -> None:
    try:
        write_atomic(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        said = say("cannot write `{path}`: {reason}", path=path, reason=reason(error))
        raise SessionRefused(said) from error


def _whole_id(store: Store, named: str) -> str:
    """The id of the one session that begins so; else what was named, for the store to refuse."""
    ids = [one.id for one in store.sessions()]
    found = [id for id in ids if id.startswith(named)]
    return found[0] if len(found) == 1 and named not in ids else named


def _hold(store: Store, session_id: str, plan: RunnablePlan) -> Lease:
    """The session is run by this process alone, or refused: there is none, or another process runs it."""
    try:
        return held_lease(store, session_id)
    except UnknownSession as problem:
        raise SessionRefused(_no_session(store, session_id, plan.package.path)) from problem


def _no_session(store: Store, named: str, package: str) -> str:
    """Which sessions there are instead: those of the package that can go on."""
    open_ones = [one for one in store.sessions() if one.package == package and one.phase != "done"]
    there = series(
        say("{id} ({standing}, of {time})", id=one.id, standing=standing(one), time=day(one.created_at))
        for one in open_ones
    )
    return say(
        "the store `{store}` has no session `{named}`; of `{package}` can go on: {sessions}",
        store=store.path,
        named=named,
        package=package,
        sessions=there or say("none"),
    )


def _script_name(given: Sequence[str]) -> str:
    """What the script is called in sentences: its file, where one was named."""
    after = dict(pairwise(given))
    return f"`{after['--script']}`" if "--script" in after else say("the script")


def _client(plan: RunnablePlan, options: Options, account: Account, prompt: Prompt) -> ModelClient:
    models = options.models
    if options.profiles is None:
        if models.replay is not None:
            return replayed(models.replay, None)
        if not options.interactive:
            return NoModel()
        person = PersonClient(plan, options.folder, account.line, lambda said: prompt(account.told(said)))
        return recorded(person, models, None)
    profiles = load_profiles(options.profiles, options.profile)
    check_profiles(plan, profiles)
    if options.driver == "model":
        check_default(profiles)
    if models.replay is not None:
        return replayed(models.replay, profiles)
    check_usable(plan, profiles)
    return recorded(profiled_client(profiles, models.path), models, profiles)


def _refuse_idle(plan: RunnablePlan, options: Options, client: ModelClient) -> None:
    """No session is begun in which nobody can ever reply."""
    needing = next((worker.id for worker in plan.workers.values() if worker.actor == "llm"), None)
    if isinstance(client, NoModel) and needing is not None:
        raise SessionRefused(
            say(
                "standard input is no terminal, and worker `{worker}` needs a model: {way_out}",
                worker=needing,
                way_out=GIVE_A_MODEL,
            )
        )


def _session(
    plan: RunnablePlan,
    options: Options,
    script: Script | None,
    client: ModelClient,
    store: Store,
    account: Account,
    playback: Playback | None,
    lease: Lease | None,
) -> Session:
    keep_plan(store, plan)
    rounds = options.rounds if options.rounds is not None else script.rounds if script else None
    if rounds is not None and rounds < 1:
        raise SessionRefused(say("a session plays at least one round, not {rounds}", rounds=rounds))
    if options.resume is None:
        _refuse_idle(plan, options, client)
        check_driver(options.driver or "scheduler", client)
        book, board = begin(options.book, store, plan, options.board, account.line)
        return Session.open(
            store,
            plan,
            client,
            board=board,
            book=book,
            rounds=rounds or 1,
            on_event=account.show,
            playback=playback,
            driver=options.driver or "scheduler",
        )
    if options.book is not None:
        raise SessionRefused(say("a session stays in the Book that it was begun in; leave out --book"))
    if options.board is not None:
        raise SessionRefused(say("a board seeds a new session; it cannot be given to one that is resumed"))
    session = Session.resume(
        store,
        options.resume,
        plan,
        client,
        rounds=rounds,
        on_event=account.show,
        accept_change=options.accept_change,
        playback=playback,
        lease=lease,
        driver=options.driver,
    )
    check_driver(session.driver, client)
    return session
