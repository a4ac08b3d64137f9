"""Settings of a workspace: `skillc.toml`, or `[tool.skillc]` in pyproject.toml.

Unknown keys and wrong types are refused by name: a setting that silently does nothing is worse than an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from posixpath import normpath

from skillc.resemblance import closest
from skillc.value import field, fields, replace, value
from skillc.wording import say, series

FILE = "skillc.toml"
PYPROJECT = "pyproject.toml"


@value
class Config:
    """All settings with their defaults; paths are relative to the workspace root, POSIX."""

    skills: str = "skills"
    build: str = "build"
    sessions: str = ".skillc/sessions.sqlite3"
    profiles: str = "profiles.json"
    format: str = "text"
    strict: bool = False
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    baseline: str = ""
    lang: str = ""
    """The language of messages; the locale's when empty."""
    flow: str = "normal"
    """Under `strict`, indirect flows of secrets and disclosures are errors."""
    cache_url: str = ""
    """The build cache of a team, where the environment names none."""
    cache_write: bool = False
    """Whether what is made here is put there, where the environment says nothing of it."""


@value
class ConfigError:
    """Why a settings file is refused: one sentence that names the file and the key."""

    message: str


def load_config(path: str, text: str) -> Config | ConfigError | None:
    """The settings of one file; None when it is a pyproject.toml that has no `[tool.skillc]`.

    >>> load_config("skillc.toml", "strict = true").strict
    True
    """
    import tomllib

    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        return ConfigError(say("{path}: not valid TOML: {error}", path=path, error=error))
    if path.rsplit("/", 1)[-1] != PYPROJECT:
        return _checked(path, data)
    tool = data.get("tool", {})
    table = tool.get("skillc") if isinstance(tool, Mapping) else None
    if table is None:
        return None
    if not isinstance(table, Mapping):
        return ConfigError(say("{path}: `tool.skillc` must be a table", path=path))
    return _checked(path, table)


def key_of(name: str) -> str:
    """How a field of `Config` is written in a file: `extend-select`."""
    return name.replace("_", "-")


def _checked(path: str, data: Mapping[str, object]) -> Config | ConfigError:
    config = Config()
    known = {key_of(name): name for name in fields(Config)}
    for key, written in data.items():
        if key not in known:
            near = closest(key, known)
            hint = (
                say("; did you mean `{near}`?", near=near)
                if near
                else say("; known keys are {known}", known=", ".join(known))
            )
            return ConfigError(say("{path}: unknown key `{key}`{hint}", path=path, key=key, hint=hint))
        read, wanted = _SHAPES.get(key, (_text, say("text in quotes")))
        settled = read(written)
        if settled is None and key == "per-file-ignores" and isinstance(written, Mapping):
            return ConfigError(_wrong_glob(path, written))
        if settled is None and key == "severity" and isinstance(written, Mapping):
            return ConfigError(_wrong_severity(path, written))
        if settled is None:
            return ConfigError(
                say(
                    "{path}: `{key}` must be {wanted}, not {value!r}",
                    path=path,
                    key=key,
                    wanted=wanted,
                    value=written,
                )
            )
        if isinstance(written, str) and key in _PATHS:
            if not _inside(written):
                return ConfigError(
                    say(
                        "{path}: `{key}` must be a relative path inside the workspace, not {value!r}",
                        path=path,
                        key=key,
                        value=written,
                    )
                )
            settled = normpath(written)
        config = replace(config, **{known[key]: settled})  # type: ignore[arg-type]
    return _apart(path, config)


def _apart(path: str, config: Config) -> Config | ConfigError:
    """What skillc writes must not lie among what authors write, nor the other way round."""
    pairs = (("build", config.build), ("sessions", config.sessions))
    for key, place in pairs:
        if f"{place}/".startswith(f"{config.skills}/") or f"{config.skills}/".startswith(f"{place}/"):
            return ConfigError(
                say(
                    "{path}: `{key}` ({place!r}) and `skills` ({skills!r}) must lie apart",
                    path=path,
                    key=key,
                    place=place,
                    skills=config.skills,
                )
            )
    return config


_PATHS = ("skills", "build", "sessions", "profiles", "baseline")
FLOWS = ("normal", "strict")
LANGUAGES = ("en", "zh")
SEVERITIES = ("error", "warning", "info", "off")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _flow(value: object) -> str | None:
    return value if isinstance(value, str) and value in FLOWS else None


def _language(value: object) -> str | None:
    return value if isinstance(value, str) and value in LANGUAGES else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _names(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(value)


def _severities(value: object) -> Mapping[str, str] | None:
    ok = isinstance(value, Mapping) and all(word in SEVERITIES for word in value.values())
    return dict(value) if ok and isinstance(value, Mapping) else None


def _wrong_severity(path: str, value: Mapping[str, object]) -> str:
    """What is wrong with the first entry of severity that cannot be read."""
    name, word = next((name, word) for name, word in value.items() if word not in SEVERITIES)
    near = closest(word, SEVERITIES) if isinstance(word, str) else None
    return say(
        "{path}: `{name}` in `severity` is {word}; it must be one of {words}{hint}",
        path=path,
        name=name,
        word=f"`{word}`" if isinstance(word, str) else say("no text"),
        words=series(SEVERITIES),
        hint=say("; did you mean `{near}`?", near=near) if near else "",
    )


def _names_by_glob(value: object) -> Mapping[str, tuple[str, ...]] | None:
    if not isinstance(value, Mapping):
        return None
    read = {
        glob: _names(names)
        for glob, names in value.items()
        if glob and "\\" not in glob and ".." not in glob.split("/")
    }
    found = {glob: names for glob, names in read.items() if names}
    return found if len(found) == len(value) else None


def _wrong_glob(path: str, value: Mapping[str, object]) -> str:
    """What is wrong with the first entry of per-file-ignores that cannot be read."""
    glob, names = next((glob, names) for glob, names in value.items() if not _names_by_glob({glob: names}))
    if not glob:
        return say("{path}: `per-file-ignores` has an empty glob, which matches no file", path=path)
    if "\\" in glob:
        return say(
            "{path}: the glob `{glob}` in `per-file-ignores` has a backslash: write `{right}`",
            path=path,
            glob=glob,
            right=glob.replace("\\", "/"),
        )
    if ".." in glob.split("/"):
        return say(
            "{path}: the glob `{glob}` in `per-file-ignores` leads out of the workspace: write it from its root",
            path=path,
            glob=glob,
        )
    return say(
        '{path}: `{glob}` in `per-file-ignores` must have a list of codes, names or families, such as ["G021"], '
        "not {names!r}",
        path=path,
        glob=glob,
        names=names,
    )


_NAMES = (_names, say("a list of codes, names or families in quotes"))
_SHAPES: Mapping[str, tuple[Callable[[object], object], str]] = {
    "strict": (_flag, say("true or false")),
    "cache-write": (_flag, say("true or false")),
    "flow": (_flow, " or ".join(f'"{word}"' for word in FLOWS)),
    "lang": (_language, " or ".join(f'"{word}"' for word in LANGUAGES)),
    "select": _NAMES,
    "ignore": _NAMES,
    "extend-select": _NAMES,
    "severity": (
        _severities,
        say("a table that gives names of findings one of {words}", words=", ".join(SEVERITIES)),
    ),
    "per-file-ignores": (
        _names_by_glob,
        say("a table that gives globs with `/` a list of names of findings"),
    ),
}
"""Keys that are no plain text: how each is read (None refuses), and what it must be in words."""


def _inside(path: str) -> bool:
    parts = path.split("/")
    return bool(path) and not path.startswith("/") and ".." not in parts and not set(path) & set("\\:\0")
