"""Twelve packages of twelve writers: nobody of them hears a warning, whatever else honest texts say about tags."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from skillc import driver
from skillc.diagnostic import Diagnostic, Severity
from skillc.graph import TagGraph
from skillc.graph.readiness import prove
from skillc.model.package import Worker
from skillc.source.reader import DictReader

WRITERS = Path(__file__).parent / "honest" / "writers"
TOLD = {"feedback-loop", "updates-in-place", "step-table"}
"""What is told of good packages, too: it describes them."""


@cache
def files() -> dict[str, bytes]:
    return {
        path.relative_to(WRITERS).as_posix(): path.read_bytes() for path in WRITERS.rglob("skills/**/*.*")
    }


@cache
def checked() -> driver.Checked:
    return driver.check(DictReader(files()))


def key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.code.slug, diagnostic.span.path, diagnostic.message


def test_nobody_hears_a_warning() -> None:
    assert len(checked().graphs) == 12
    assert {d.code.slug for d in checked().diagnostics} == TOLD
    assert {d.severity for d in checked().diagnostics} == {Severity.INFO}


def test_all_are_built_and_can_become_ready() -> None:
    assert all(one.plan for one in driver.build(checked()))
    assert {prove(graph).verdict for graph in checked().graphs.values()} == {"ready"}


SENTENCES = """
写完之后，总管会把它交给用户，确认了就是 `{mine}`。
`{other}` 由 {who} 输出，与你无关。
{who} 会写入 `{other}`，你不用管。
写 `{other}` 的是 {who}。
先有 `{other}`，才轮到你。
`{other}` 轮不到你写。
别人输出 `{other}` 的时候你还没上场。
你的活儿到 `{mine}` 为止，后面的 `{other}` 是 {who} 的。
| 上游 | 标签 |↵|---|---|↵| {who} | `{other}` |
| 谁 | 输出 |↵|---|---|↵| {who} | `{other}` |
| worker | 产出 | 备注 |↵|---|---|---|↵| {who} | {other} | — |
`{other}`（{who} 写）不在你手上。
缺 `{other}` 是 {who} 的事。
如果 {who} 没有写 `{other}`，总管会处理。
### 你不碰的↵↵- `{other}`↵- `用户.worker答复`
> {who}：我输出 `{other}`。
最后由 {who} 汇总成 `{other}`。
{who} 根据你写的 `{mine}` 输出 `{other}`。
你写 `{mine}`，{who} 写 `{other}`。
它的下游：{who} → `{other}`。
上一步 {who} 已输出 `{other}`。
用户若在 `{mine}` 里发现问题，会退回。
请用户看一眼，那是总管的事。
总管会用 askUser 问用户，不是你。
有的包会让 worker 问用户，这里不会。
写到一半想问用户？忍住。
不懂的地方，先查材料，不追问。
若要追问用户，由 {who} 来。
以用户的口吻提问：「你要什么？」，这是写给人物的。
写入文件 `out.md` 由宿主做，版本号写作 v2.0.1。
参考 `a.b.c` 的命名法；示例标签形如 `甲.乙.草稿`。
输出只有 `{mine}`，没有 `{other}`。
除了 `{mine}`，什么也不输出。
不要输出 `{other}`、`{mine}` 以外的东西。
先想 `{other}` 会怎么被读，再写 `{mine}`。
`{mine}` 会被 {who} 读到，写清楚。
1. {who}：输出 `{other}`↵2. 你：输出 `{mine}`
输出顺序：`{other}`（{who}）、`{mine}`（你）。
**产物**：`{mine}`。**不是你的产物**：`{other}`。
{who}的输出：`{other}`
`{other}` → 你 → `{mine}`
见 {who} 的 `{other}` 一节。
""".strip().split("\n")


def honest_sentences(graph: TagGraph, worker: Worker, sentences: list[str]) -> Iterator[str]:
    """The sentences about a tag of the worker and one that is somebody else's, where there are such plain tags."""
    own = {ref.text for ref in (*worker.inputs, *worker.outputs)}
    plain = [ref.text for ref in worker.outputs if ref.pattern.is_tag]
    foreign = [
        (ref.text, other)
        for other in graph.package.workers
        for ref in other.outputs
        if other is not worker and ref.pattern.is_tag and ref.text not in own
    ]
    for number, sentence in enumerate(sentences if plain and foreign else ()):
        tag, other = foreign[number % len(foreign)]
        for who in (other.id, other.name):
            text = sentence.replace("↵", "\n").format(mine=plain[0], other=tag, who=who)
            yield f"\n## 补充 {number}\n\n{text}\n"


@pytest.mark.parametrize("start", range(0, len(SENTENCES), 7))
def test_what_honest_texts_say_of_tags_makes_no_finding(start: int) -> None:
    more = dict(files())
    for graph in checked().graphs.values():
        for worker in graph.package.workers:
            path = f"{worker.files.folder}/SKILL.md"
            said = "".join(honest_sentences(graph, worker, SENTENCES[start : start + 7]))
            more[path] += said.encode()
    before = {key(diagnostic) for diagnostic in checked().diagnostics}
    found = driver.check(DictReader(more)).diagnostics
    assert [key(diagnostic) for diagnostic in found if key(diagnostic) not in before] == []


MANIFEST = """
## 产物说明↵↵- `{tag}`：{who} 的产物
## 产物说明↵↵| 产物 | 谁 | 验收 |↵|---|---|---|↵| `{tag}` | {who} | 用户确认 |
## 流程↵↵1. {who} 写 `{tag}`↵2. 用户看↵3. 不满意就退回
## 禁用行为↵↵- 不把 `{tag}` 给用户以外的人看。↵- 禁止跳过 {who}。↵- 禁止把草稿当定稿。
## 备注↵↵完成之后（`{tag}` 有了）就可以收工；总管只看进度，不看 `{tag}` 的内容。
## 询问策略↵↵- {who} 问过的，总管不再问。↵- 一次最多问三个问题。
## 版本↵↵| 版本 | 变化 |↵|---|---|↵| 1.0 | 初版 |↵| 1.1 | {who} 改写 |
## 例↵↵```json↵{{"action": "run_worker", "workerId": "{who}", "reason": "轮到它"}}↵```
## 规则↵↵当 `{tag}` 出现两次以上，只看最新的；has 了 `{tag}` 才算数（凭常识判断）。
""".strip().split("\n")


def test_what_honest_manifests_say_of_workers_makes_no_finding() -> None:
    more = dict(files())
    for graph in checked().graphs.values():
        for number, sentence in enumerate(MANIFEST):
            worker = graph.package.workers[number % len(graph.package.workers)]
            said = sentence.replace("↵", "\n").format(tag=worker.outputs[0].text, who=worker.id)
            more[f"{graph.package.folder}/orchestrator.md"] += f"\n{said}\n".encode()
    before = {key(diagnostic) for diagnostic in checked().diagnostics}
    found = driver.check(DictReader(more)).diagnostics
    assert [key(diagnostic) for diagnostic in found if key(diagnostic) not in before] == []
