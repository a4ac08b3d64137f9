"""Settings of a workspace: `skillc.toml`, or `[tool.skillc]` in pyproject.toml.

Unknown keys and wrong types are refused by name: a setting that silently does nothing is worse than an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches

FILE = "skillc.toml"
PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """All settings with their defaults; paths are relative to the workspace root, POSIX."""

    skills: str = "skills"
    build: str = "build"
    sessions: str = ".skillc/sessions.sqlite3"
    profiles: str = "profiles.json"
    format: str = "text"
    strict: bool = False


@dataclass(frozen=True, slots=True)
class ConfigError:
    """Why a settings file is refused: one sentence that names the file and the key."""

    message: str


def load_config(path: str, text: str) -> Config | ConfigError | None:
    """The settings of one file; None when it is a pyproject.toml that has no `[tool.skillc]`.

    >>> load_config("skillc.toml", "strict = true").strict
    True
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return ConfigError(f"{path}: not valid TOML: {error}")
    if path.rsplit("/", 1)[-1] != PYPROJECT:
        return _checked(path, data)
    tool = data.get("tool", {})
    table = tool.get("skillc") if isinstance(tool, Mapping) else None
    if table is None:
        return None
    if not isinstance(table, Mapping):
        return ConfigError(f"{path}: `tool.skillc` must be a table")
    return _checked(path, table)


def _checked(path: str, data: Mapping[str, object]) -> Config | ConfigError:
    config = Config()
    known = {field.name: field for field in fields(Config)}
    for key, value in data.items():
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"; did you mean `{near[0]}`?" if near else f"; known keys are {', '.join(known)}"
            return ConfigError(f"{path}: unknown key `{key}`{hint}")
        wanted = type(getattr(config, key))
        if type(value) is not wanted:
            word = "true or false" if wanted is bool else "text in quotes"
            return ConfigError(f"{path}: `{key}` must be {word}, not {value!r}")
        if isinstance(value, str) and key != "format" and not _inside(value):
            return ConfigError(f"{path}: `{key}` must be a relative path inside the workspace, not {value!r}")
        config = replace(config, **{key: value})  # type: ignore[arg-type]
    return config


def _inside(path: str) -> bool:
    parts = path.split("/")
    return bool(path) and not path.startswith("/") and ".." not in parts and not set(path) & set("\\:\0")
