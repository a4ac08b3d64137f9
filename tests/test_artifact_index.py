from __future__ import annotations

import json

from skillc.artifact.encoding import readable
from skillc.artifact.index import index


def test_the_index_lists_packages_by_path() -> None:
    rows = [
        {"path": "novel/b", "plan": "novel/b/plan.json", "digest": "sha256:2", "status": "stale"},
        {"status": "ok", "digest": "sha256:1", "plan": "novel/a/plan.json", "path": "novel/a"},
    ]
    written = index(rows, "1.0")
    assert written == index(reversed(rows), "1.0")
    assert json.loads(written) == {
        "schema": "skillc.index/1",
        "compiler": "1.0",
        "packages": [
            {"path": "novel/a", "plan": "novel/a/plan.json", "digest": "sha256:1", "status": "ok"},
            rows[0],
        ],
    }
    assert written.endswith(b"}\n")


def test_the_index_is_spelt_as_all_files_that_people_read() -> None:
    paths = ["", "novel/甲", 'novel/"{\\n}, "', "novel/\x7f\u2028\n"]
    for number in range(len(paths) + 1):
        rows = [{"path": path, "plan": f"{path}/p", "digest": "", "status": "ok"} for path in paths[:number]]
        rows.sort(key=lambda row: row["path"])
        assert index(rows, "1") == readable({"schema": "skillc.index/1", "compiler": "1", "packages": rows})
