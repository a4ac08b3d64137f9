"""Packages for measuring: any number of them, each with five workers, all clean, no two alike."""

from __future__ import annotations

import os

_PARAGRAPH = (
    "写作时先想清楚这一步的读者是谁，他在这个时刻知道什么、误会什么，再决定哪一个细节先出现。"
    "细节要能被看见、听见或摸到，避免只有判断没有依据的形容。每一处转折都要有前文的种子，"
    "每一个承诺都要在后文兑现；不确定的地方写下来，交给下一位处理，不要悄悄替别人做主。\n\n"
)

_MANIFEST = """---
name: {name}
description: 第 {number} 号语料：从需求到正文的五步写作
category: 语料
bookKind: novel
version: 1
tags: ["语料"]
workers: ["setting", "cast", "outline", "prose", "review"]
prerequisiteTags: ["需求.核心要点"]
instanceReadyWhen: startupCompleted
acceptance:
  setting: {{mode: user_confirmed}}
  cast: {{mode: user_confirmed}}
  outline: {{mode: user_confirmed}}
  prose: {{mode: user_confirmed}}
  review: {{mode: programmatic_review, reviews: ["prose"]}}
---

# {name}

## 启动询问

```text
想写什么？
```

写入目标：`需求.核心要点`
"""

_SKILL = """---
id: {id}
skill: {name}
name: {title}
description: 第 {number} 号语料的{title}
version: 1
stage: play
inputTags: [{inputs}]
outputTags: [{outputs}]
contextSegments:
{segments}---

# {title}

## 角色与口吻

你是第 {number} 号语料的{title}。

## 能力范围

{filler}
## 上下文用法

{uses}

## 输出格式

{formats}
"""

WORKERS = (
    ("setting", "设定作者", ("需求.核心要点", "用户.修改说明?"), ("设定.世界{n}.草稿",)),
    ("cast", "人物作者", ("需求.核心要点", "设定.世界{n}.草稿", "用户.修改说明?"), ("设定.人物{n}.草稿",)),
    (
        "outline",
        "大纲作者",
        ("设定.世界{n}.草稿", "设定.人物{n}.草稿", "用户.修改说明?"),
        ("大纲.章节{n}.草稿",),
    ),
    (
        "prose",
        "正文作者",
        ("设定.*", "大纲.章节{n}.草稿", "验收.读者视角.记录?", "用户.修改说明?"),
        ("正文.草稿",),
    ),
    ("review", "读者", ("大纲.章节{n}.草稿", "正文.草稿"), ("验收.读者视角.记录",)),
)


def write_corpus(root: str, packages: int) -> None:
    """Make a workspace of `packages` packages below `root`; about 4 KB a worker."""
    for number in range(packages):
        name = f"corpus-{number:05}"
        folder = os.path.join(root, "skills", "novel", name)
        _write(folder, "orchestrator.md", _MANIFEST.format(name=name, number=number))
        _write(folder, "shared-context.md", f"# 共同约定\n\n第 {number} 号语料。\n\n{_PARAGRAPH * 4}")
        for id, title, inputs, outputs in WORKERS:
            _write(folder, f"workers/{id}/SKILL.md", _worker(name, number, id, title, inputs, outputs))


def _worker(
    name: str, number: int, id: str, title: str, inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> str:
    reads = [text.format(n=number % 97) for text in inputs]
    writes = [text.format(n=number % 97) for text in outputs]
    plain = [text.rstrip("?") for text in reads]
    segments = "".join(
        f'  - id: s{at}\n    tier: dynamic\n    tags: ["{tag}"]\n    label: "## 材料 {at}"\n'
        for at, tag in enumerate(plain)
    )
    return _SKILL.format(
        id=id,
        name=name,
        title=title,
        number=number,
        inputs=", ".join(f'"{tag}"' for tag in reads),
        outputs=", ".join(f'"{tag}"' for tag in writes),
        segments=segments,
        filler=_PARAGRAPH * 8,
        uses="\n".join(f"- `{tag}`：写作的依据。" for tag in plain),
        formats="\n".join(f"`{tag}`：纯文本；验收类写 verdict 与理由。" for tag in writes),
    )


def _write(folder: str, name: str, text: str) -> None:
    path = os.path.join(folder, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
