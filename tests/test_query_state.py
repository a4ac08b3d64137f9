"""What counts as modified since an earlier state: which part of which worker, which tags, which packages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from asking import answer, ask, fault
from cli import SKILLS
from skillc import driver
from skillc.artifact.codec import decode
from skillc.artifact.encoding import plan_data, readable
from skillc.artifact.plan import Plan
from skillc.graph import TagGraph
from skillc.plan import compile_package
from skillc.query import Answer, PackageState, state_of
from skillc.source.reader import DictReader

Files = Mapping[str, str]
RULES = "skills/novel/weird-rules-short"
REVIEW = f"{RULES}/workers/review-infer/SKILL.md"
MANIFEST = f"{RULES}/orchestrator.md"


@pytest.fixture(scope="module")
def files() -> Files:
    folder = SKILLS / "novel" / "weird-rules-short"
    return {
        f"{RULES}/{path.relative_to(folder).as_posix()}": path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "contexts" not in path.parts
    }


def edited(files: Files, path: str, old: str, new: str) -> Files:
    assert old in files[path], f"{old!r} is not in {path}"
    return {**files, path: files[path].replace(old, new)}


def compiled(files: Files) -> tuple[Mapping[str, TagGraph], dict[str, Plan | None]]:
    checked = driver.check(DictReader(files))
    broken = driver.failed(checked)
    plans = {
        path: None if path in broken else compile_package(graph)[0] for path, graph in checked.graphs.items()
    }
    return checked.graphs, plans


def modified(before: Files, after: Files, query: str = "state:modified") -> list[str]:
    _, old = compiled(before)
    graphs, new = compiled(after)
    states = {path: state_of(old.get(path), new[path]) for path in graphs}
    return answer(graphs, query, states)


def test_nothing_changed(files: Files) -> None:
    assert modified(files, files, "state:modified + state:new") == []


def test_a_sentence_of_a_worker_is_its_body(files: Files) -> None:
    after = {**files, REVIEW: files[REVIEW] + "\n多想一步。\n"}
    assert modified(files, after) == ["review-infer"]
    assert modified(files, after, "state:modified.body") == ["review-infer"]
    assert modified(files, after, "state:modified.contract + state:modified.workspace") == []


def test_an_input_is_contract_and_the_tag_is_modified_too(files: Files) -> None:
    after = edited(files, REVIEW, 'inputTags:\n', 'inputTags:\n  - "参考.*?"\n')  # fmt: skip
    assert modified(files, after, "state:modified.contract") == ["review-infer", "参考.*"]
    assert modified(files, after, "state:modified.body") == []
    assert "验收.读者视角.记录" in modified(files, after, "state:modified.contract+")


def test_a_label_is_of_the_workspace_and_touches_whose_tags_it_marks(files: Files) -> None:
    rule = "labels:\n  hidden:\n    - pattern: 验收.作者视角.*\n"
    after = {**files, "skills/tags.yaml": rule}
    touched = modified(files, after, "state:modified.workspace")
    assert "review-author" in touched and "review-infer" not in touched
    assert modified(files, after, "state:modified.body") == []


def test_the_startup_question_is_the_startup_source(files: Files) -> None:
    text = files[MANIFEST]
    fence = text[text.index("```text") :].split("\n")[1]
    after = edited(files, MANIFEST, fence, fence + "再说一遍。")
    assert modified(files, after) == ["(startup)"]


def test_a_worker_that_is_gone_modifies_what_it_read_and_wrote(files: Files) -> None:
    _, old = compiled(files)
    graphs, new = compiled(files)
    (path,) = graphs
    before = old[path]
    assert before is not None
    more = replace_worker(before, "extra", "review-infer")
    states = {path: state_of(more, new[path])}
    tags = answer(graphs, "state:modified", states)
    assert tags == answer(
        graphs, "kind(tag, 1+review-infer+1) - 用户.* - 规则.确认稿 - 规则.说明.确认稿", states
    )


def replace_worker(plan: Plan, id: str, like: str) -> Plan:
    """`plan` with one more worker, like another one."""
    data = plan_data(plan)
    data["workers"][id] = {**data["workers"][like], "id": id}
    data["order"].append(id)
    return decode(readable(data))


def test_a_package_that_is_new_or_broken_is_modified_as_a_whole(files: Files) -> None:
    everything = modified(files, files, "...")
    assert modified({}, files) == everything
    assert modified({}, files, "state:new") == everything
    broken = {**files, REVIEW: "kein frontmatter"}
    assert set(modified(files, broken, "state:modified.workspace")) == set(modified(files, broken, "..."))
    assert modified(files, broken, "state:new") == []


def test_what_no_plan_holds_modifies_the_package_alone(files: Files) -> None:
    """A line that only people read changes no worker; its package is selected all the same."""
    after = {**files, MANIFEST: files[MANIFEST] + "\n给作者看的一句话。\n"}
    assert modified(files, after) == []
    _, old = compiled(files)
    graphs, new = compiled(after)
    (path,) = graphs
    state = state_of(old[path], new[path])
    assert state.differs and not state.whole
    got = ask(graphs, "state:modified", {path: state})
    assert isinstance(got, Answer) and got.packages == {path}


def test_another_compiler_modifies_nothing(files: Files) -> None:
    graphs, plans = compiled(files)
    (path,) = graphs
    new = plans[path]
    assert new is not None
    older, _ = compile_package(graphs[path], "0.0.1")
    assert older.fingerprint != new.fingerprint
    assert state_of(older, new) == PackageState()


def test_states_that_there_are_not(files: Files) -> None:
    graphs, _ = compiled(files)
    states = {path: PackageState() for path in graphs}
    assert fault(graphs, "state:modified.prose", states)[1] == "`modified.prose` is no state"
