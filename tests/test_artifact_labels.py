from __future__ import annotations

import pytest

from sample_plans import LABELS, sample_plan
from skillc.artifact.labels import labels_of, owned

RULES = sample_plan(
    {},
    labels=[
        *LABELS,
        {"label": "hidden", "pattern": ["底牌", ".*"], "segment": None, "except": [["底牌", "公开"]]},
    ],
).labels


@pytest.mark.parametrize(
    ("tag", "labels"),
    [
        ("世界.隐藏状态", {"hidden"}),
        ("核心.危险.隐藏", {"hidden"}),
        ("核心.不隐藏", set()),
        ("规则#隐藏条款", {"hidden"}),
        ("角色.A.思考", {"user_only", "role_private"}),
        ("角色.A.思考.候选", {"user_only", "role_private"}),
        ("角色.A.思考过程", {"role_private"}),
        ("角色.A.行动", set()),
        ("角色.A.行动.候选", set()),
        ("角色.A", set()),
        ("底牌.甲", {"hidden"}),
        ("底牌.公开", set()),
    ],
)
def test_labels_of_a_tag(tag: str, labels: set[str]) -> None:
    assert labels_of(tag, RULES) == labels


def test_a_moved_tag_has_the_labels_of_its_new_name() -> None:
    moved = {"core.danger": "核心.危险.隐藏"}
    assert labels_of("core.danger", RULES) == set()
    assert labels_of("core.danger", RULES, moved) == {"hidden"}
    assert labels_of("core.danger#一", RULES, moved) == {"hidden"}


def test_a_private_tag_belongs_to_the_role_in_it() -> None:
    assert owned("角色.A.记忆", "A", RULES)
    assert not owned("角色.B.记忆", "A", RULES)
    assert owned("角色.B.行动", "A", RULES)
