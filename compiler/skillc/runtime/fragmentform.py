"""A fragment under the format's own keys and shapes, with the way back to where each part is written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

KEYS = {
    "概要": "brief",
    "摘要": "brief",
    "挂载": "mount",
    "skill": "技能",
    "stability": "稳变",
    "body": "正文",
    "self_assessment": "自评",
    "自评评分": "自评",
    "questions": "追问",
    "open_questions": "开放问题",
    "序": "order",
}
"""Other names of the keys of a fragment's shell."""
ASSESSED = {"dimensions": "维度", "weak_points": "薄弱点", "弱点": "薄弱点"}
DIMENSION = {
    "name": "名",
    "名称": "名",
    "维度": "名",
    "score": "分数",
    "得分": "分数",
    "评分": "分数",
    "note": "说明",
    "理由": "说明",
}
ASKED = {"lead": "导语", "引导": "导语", "questions": "题目", "问题": "题目"}
QUESTION = {
    "question": "问",
    "题": "问",
    "问题": "问",
    "options": "建议选项",
    "选项": "建议选项",
    "example": "示例",
    "例": "示例",
}
"""Other names of the keys inside 自评 and 追问."""
Path = tuple[str | int, ...]


class OwnForm:
    """`tree`: the fragment under the format's own keys. `renamed`: each key that was written under another name,
    with its own; `reshaped`: the paths of parts that were written in a shorter shape."""

    __slots__ = ("_places", "renamed", "reshaped", "tree")

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._places: dict[Path, Path] = {}
        self.renamed: list[tuple[Path, str]] = []
        self.reshaped: list[Path] = []
        self.tree = self._named(data, KEYS, ())
        if "自评" in self.tree:
            self.tree["自评"] = self._assessed(self.tree["自评"])
        if "追问" in self.tree:
            self.tree["追问"] = self._asked(self.tree["追问"])

    def written(self, path: Path) -> Path:
        """Where what stands at `path` of the tree is written."""
        for length in range(len(path), 0, -1):
            place = self._places.get(path[:length])
            if place is not None:
                return (*place, *path[length:])
        return path

    def _named(self, data: Mapping[str, Any], names: Mapping[str, str], path: Path) -> dict[str, Any]:
        """The entries under their own keys; of two names for one key the own one counts, and both stay."""
        found: dict[str, Any] = {}
        for key, value in data.items():
            own = names.get(key, key)
            if own != key and (own in data or own in found):
                own = key
            if own != key:
                place = (*self.written(path), key)
                self._places[(*path, own)] = place
                self.renamed.append((place, own))
            found[own] = value
        return found

    def _moved(self, path: Path, place: Path) -> None:
        self._places[path] = place
        self.reshaped.append(place)

    def _assessed(self, value: object) -> object:
        """自评 with its dimensions as rows: a list of them, or a mapping from name to score, is read as such."""
        at: Path = ("自评",)
        if isinstance(value, list):
            self._moved((*at, "维度"), self.written(at))
            value = {"维度": value}
        if not isinstance(value, dict):
            return value
        found = self._named(value, ASSESSED, at)
        rows = found.get("维度")
        if rows is None:
            scores = {name: score for name, score in found.items() if _is_score(score)}
            if scores:
                found = {key: rest for key, rest in found.items() if key not in scores}
                found["维度"] = list(self._from_mapping(scores, at))
        elif isinstance(rows, dict):
            found["维度"] = list(self._from_mapping(rows, (*at, "维度")))
        elif isinstance(rows, list):
            found["维度"] = [self._row(row, DIMENSION, (*at, "维度", n)) for n, row in enumerate(rows)]
        return found

    def _from_mapping(self, scores: Mapping[str, Any], at: Path) -> Iterator[dict[str, Any]]:
        written = self.written(at)
        for number, (name, value) in enumerate(scores.items()):
            row: Path = ("自评", "维度", number)
            self._moved((*row, "分数"), (*written, name))
            if isinstance(value, dict):
                self._places[row] = (*written, name)
                del self._places[(*row, "分数")]
                yield {"名": name, **self._named(value, DIMENSION, row)}
            else:
                yield {"名": name, "分数": value}

    def _asked(self, value: object) -> object:
        """追问 with its questions as rows: a text is one question, a list is a list of them."""
        at: Path = ("追问",)
        if isinstance(value, str | list):
            self._moved((*at, "题目"), self.written(at))
            value = {"题目": [value] if isinstance(value, str) else value}
        if not isinstance(value, dict):
            return value
        found = self._named(value, ASKED, at)
        rows = found.get("题目")
        if isinstance(rows, str):
            self._moved((*at, "题目", 0), self.written((*at, "题目")))
            rows = [rows]
        if isinstance(rows, list):
            found["题目"] = [self._question(row, (*at, "题目", n)) for n, row in enumerate(rows)]
        return found

    def _question(self, row: object, path: Path) -> object:
        if isinstance(row, str):
            self._moved((*path, "问"), self.written(path))
            return {"问": row}
        found = self._row(row, QUESTION, path)
        if isinstance(found, dict) and isinstance(found.get("建议选项"), str):
            self._moved((*path, "建议选项", 0), self.written((*path, "建议选项")))
            found["建议选项"] = [found["建议选项"]]
        return found

    def _row(self, row: object, names: Mapping[str, str], path: Path) -> object:
        return self._named(row, names, path) if isinstance(row, dict) else row


def _is_score(value: object) -> bool:
    """Whether a value of 自评 without 维度 is that of a dimension."""
    if isinstance(value, dict):
        return any(DIMENSION.get(key, key) == "分数" for key in value)
    return isinstance(value, int | float) and not isinstance(value, bool)
