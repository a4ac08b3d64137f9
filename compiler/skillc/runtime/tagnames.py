"""Tags in which the runtime itself reads a meaning, or which it writes."""

from __future__ import annotations

VARIABLES = "变量.当前"
"""The table of variables."""
UPDATES = "变量.更新"
"""A worker's output: changes to the table, as a JSON list of {key, value, rev?, visibility?}."""
EDITS = "变量.用户"
"""The same, from the user."""
WORKER_SET = "设计.worker集"
ORDER = "设计.上下文投影排序"
CURRENT_ROLE = "世界.当前角色.id"
LATEST_INPUT = "用户.最新输入"
