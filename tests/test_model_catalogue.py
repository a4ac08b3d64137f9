"""Where tags come from and what labels they carry: the built-in data and tags.yaml on top of it."""

from __future__ import annotations

from reading import PACKAGE, lines, read_package
from skillc.model.catalogue import builtin_catalogue
from skillc.model.package import Catalogue
from skillc.tags import STAGES, matches

TAGS = f"{PACKAGE}/tags.yaml"


def origins(catalogue: Catalogue, tag: str) -> set[str]:
    return {source.origin for source in catalogue.sources if matches(source.pattern, tag)}


def labels(catalogue: Catalogue, tag: str) -> set[str]:
    """The labels of a tag, straight from what a rule is said to mean."""
    found = set()
    for rule in catalogue.labels:
        by_pattern = rule.pattern is not None and matches(rule.pattern, tag)
        by_segment = rule.segment is not None and any(
            part.startswith(rule.segment) for part in tag.split(".")
        )
        if (by_pattern or by_segment) and not any(matches(out, tag) for out in rule.exceptions):
            found.add(rule.label)
    return found


def test_the_built_in_sources() -> None:
    catalogue = builtin_catalogue()
    expected = {
        "用户.最新输入": {"user"},
        "运行.事件流": {"runtime"},
        "对话.历史": {"runtime"},
        "变量.当前": {"runtime"},
        "世界.当前角色.id": {"runtime"},
        "上下文.模型": {"runtime"},
        "创作.语言": {"runtime"},
        "worker.persona": {"pseudo"},
        "世界.规则": set(),
        "对话.别的": set(),
    }
    assert {tag: origins(catalogue, tag) for tag in expected} == expected


def test_the_default_labels() -> None:
    catalogue = builtin_catalogue()
    expected = {
        "核心.危险.隐藏": {"hidden"},
        "世界.隐藏状态": {"hidden"},
        "世界.规则": set(),
        "角色.A.思考": {"user_only", "role_private"},
        "角色.A.内心想法.候选": {"user_only", "role_private"},
        "角色.A.记忆.当前": {"role_private"},
        "角色.A.行动": set(),
        "角色.A.行动.候选": set(),
        "角色.A.行动力": {"role_private"},
        "角色.名单": set(),
    }
    assert {tag: labels(catalogue, tag) for tag in expected} == expected


def test_the_built_in_deliverables_and_legacy_names() -> None:
    catalogue = builtin_catalogue()
    assert [pattern.text for pattern in catalogue.deliverables] == ["输出.*", "正文.确认稿"]
    legacy = dict(catalogue.legacy)
    assert legacy["book.brief"] == "需求.核心要点" and legacy["core.danger"] == "核心.危险.隐藏"
    assert len(legacy) == 6
    assert not any(part in STAGES[:1] for new in legacy.values() for part in new.split("."))


def test_workspace_and_package_add_to_the_built_in_data() -> None:
    workspace_tags = "sources:\n  user: [偏好.*]\nmoved:\n  旧.名: 新.名\n"
    package_tags = """sources:
  rag: ["角色.*.相关记忆摘要"]
  book: 资产.*
labels:
  hidden:
    - 谜底.*
    - {segment: 机密, except: [机密.公告]}
  public: ["角色.{id}.名片"]
deliverables: [报告.*]
declassify:
  - {worker: write, tags: [核心.危险.隐藏], label: hidden, reason: 结局揭晓}
docs: {"报告.*": 给编辑看的}
"""
    package, found = read_package({"skills/tags.yaml": workspace_tags, TAGS: package_tags})
    assert found == ()
    catalogue = package.catalogue
    assert origins(catalogue, "偏好.口吻") == {"user"} and origins(catalogue, "资产.卡") == {"book"}
    assert origins(catalogue, "角色.A.相关记忆摘要") == {"rag"}
    assert labels(catalogue, "谜底.真凶") == {"hidden"} and labels(catalogue, "机密档案.一") == {"hidden"}
    assert labels(catalogue, "机密.公告") == set()
    assert labels(catalogue, "角色.A.名片") == {"public", "role_private"}
    assert [pattern.text for pattern in catalogue.deliverables][-1] == "报告.*"
    cut = catalogue.declassify[0]
    assert (cut.worker.value, cut.label, cut.reason) == ("write", "hidden", "结局揭晓")
    assert [(old.value, new.value) for old, new in catalogue.moved] == [("旧.名", "新.名")]
    assert [(pattern.text, text) for pattern, text in catalogue.docs] == [("报告.*", "给编辑看的")]
    assert not catalogue.broken
    assert catalogue.legacy == builtin_catalogue().legacy


def test_the_built_in_data_is_never_changed_by_a_package() -> None:
    before = builtin_catalogue()
    read_package({TAGS: "deliverables: [报告.*]\n"})
    assert builtin_catalogue() == before


def test_errors_of_a_catalogue_are_told_each_at_its_place() -> None:
    package, found = read_package(
        {
            TAGS: """source: {}
labels:
  secret: [a.b]
  hidden: [{segmant: x}, {pattern: "a..b"}]
declassify:
  - {worker: write, tags: [a.b], label: hiden, reason: r}
  - {worker: write, tags: [a.b], label: hidden}
moved: {"a.*": b.c}
"""
        }
    )
    assert lines(found) == [
        "1:1 unknown-field",
        "3:3 unknown-field",
        "4:13 unknown-field",
        "4:38 bad-tag",
        "6:41 field-type",
        "7:6 missing-field",
        "8:12 bad-tag",
    ]
    assert len(package.catalogue.labels) == len(builtin_catalogue().labels)


def test_names_that_lead_back_to_themselves_are_told_at_their_entry_and_counted_for_nothing() -> None:
    text = "moved:\n  诗.候选: 诗.候选\n  a.x: b.x\n  b.x: c.x\n  c.x: b.x\n  d.x: e.x\n"
    package, found = read_package({TAGS: text})
    assert lines(found) == ["2:3 field-type", "4:3 field-type"]
    assert [d.message for d in found] == [
        "`诗.候选` is moved to itself",
        "the new names lead in a circle: `b.x` → `c.x` → `b.x`",
    ]
    assert [(old.value, new.value) for old, new in package.catalogue.moved] == [
        ("a.x", "b.x"),
        ("d.x", "e.x"),
    ]


def test_a_catalogue_that_cannot_be_read_says_so() -> None:
    for text in ("sources: [\n", "sources: {user: [用户。偏好]}\n", "sources: {users: [a.b]}\n", "- a\n"):
        assert read_package({TAGS: text})[0].catalogue.broken
    assert not read_package({TAGS: "deliverables: [a..b]\n"})[0].catalogue.broken


def test_a_finding_about_the_workspaces_catalogue_comes_once() -> None:
    other = {
        "skills/novel/two/orchestrator.md": "---\nname: two\ndescription: d\n---\n",
    }
    _, found = read_package({**other, "skills/tags.yaml": "sorces: {}\n"})
    assert [d.code.slug for d in found] == ["unknown-field"]


def test_a_secret_keeps_its_label_under_its_new_name() -> None:
    """Also where a wildcard labelled the old name; an exception of the old one is none of the new one's."""
    package, _ = read_package(
        {
            TAGS: "labels:\n  hidden: [core.secret, {pattern: 旧.*, except: [旧.公开]}]\n"
            "moved: {core.secret: 核心.秘密, 旧.底牌: 牌.底, 旧.公开: 牌.面}\n"
        }
    )
    assert labels(package.catalogue, "核心.秘密") == {"hidden"}
    assert labels(package.catalogue, "牌.底") == {"hidden"}
    assert labels(package.catalogue, "牌.面") == set()
