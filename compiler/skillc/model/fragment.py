"""The two forms of an artifact as they should be written (SPEC 10.1, 10.2): models, and the schemas made of them.

What models and people really write is read more leniently, by `read_artifact`; these say what is right.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from skillc.runtime.flat import FLAT, FRAGMENT

Word = Annotated[str, StringConstraints(pattern=r"\S")]
"""Text that is not blank."""
Key = Annotated[str, StringConstraints(pattern=r"^\S([\s\S]*\S)?$")]
"""A key of the body: no blanks at its ends."""
Part = str | list[JsonValue] | dict[str, JsonValue]
"""What may stand directly under the body."""


class _Form(BaseModel):
    """Strict, and closed but for keys that begin with `x-`."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", json_schema_extra={"patternProperties": {"^x-": True}}
    )

    @model_validator(mode="before")
    @classmethod
    def _without_own_keys(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if not str(key).startswith("x-")}


class Dimension(_Form):
    """One dimension of the self-assessment."""

    name: Word = Field(alias="名")
    score: float = Field(alias="分数", ge=0, le=10)
    note: str | None = Field(default=None, alias="说明")


class Assessment(_Form):
    """自评: scores from 0 to 10, and what is weak."""

    dimensions: list[Dimension] = Field(alias="维度")
    weak: str | list[str] | None = Field(default=None, alias="薄弱点")


class Asking(_Form):
    """One question, with choices and an example."""

    text: Word = Field(alias="问")
    choices: list[str] | None = Field(default=None, alias="建议选项")
    example: str | None = Field(default=None, alias="示例")


class Inquiry(_Form):
    """追问: what goes before, and the questions; none is an empty list."""

    lead: str | None = Field(default=None, alias="导语")
    questions: list[Asking] = Field(alias="题目")


class Shell(_Form):
    """What both forms have around the body. It never says where in an order the artifact stands."""

    skill: Word = Field(alias="技能", description="the artifact, or the skill that wrote it")
    brief: Word = Field(description="one or two sentences: what `summary` shows")
    mount: list[Word] = Field(description="keys of slots, or workers, that must get it")
    stability: Literal["稳", "少变", "中", "偶发", "变", "常变"] | None = Field(default=None, alias="稳变")
    assessment: Assessment | None = Field(default=None, alias="自评")
    inquiry: Inquiry | None = Field(default=None, alias="追问")
    open: list[str] | None = Field(default=None, alias="开放问题")


class ContextFragment(Shell):
    """A context fragment: the body is a tree of about two levels and leaves."""

    form: Literal["context-fragment.v1"] = Field(alias="schema")
    body: dict[Key, Part] = Field(alias="正文", json_schema_extra={"additionalProperties": False})


class Section(_Form):
    """One part of the body; its text is JSON where the part is a tree."""

    id: Key
    title: str
    text: str


class FlatArtifact(Shell):
    """The flat form: for delivery where a tree cannot be asked for."""

    form: Literal["artifact.flat.v1"] = Field(alias="schema")
    sections: list[Section]


MODELS: dict[str, type[Shell]] = {FRAGMENT: ContextFragment, FLAT: FlatArtifact}


def form_schema(form: str) -> dict[str, Any]:
    """The published JSON Schema of one form, `context-fragment.v1` or `artifact.flat.v1`."""
    schema = MODELS[form].model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_tidy(schema), "title": form}


def _tidy(value: Any) -> Any:
    """Without the titles and defaults that only repeat names."""
    if isinstance(value, dict):
        dropped = [key for key in ("title", "default") if not isinstance(value.get(key), dict)]
        return {key: _tidy(item) for key, item in value.items() if key not in dropped}
    return [_tidy(item) for item in value] if isinstance(value, list) else value
