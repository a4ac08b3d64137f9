"""Settings: defaults, both homes, and refusal of everything that would silently do nothing."""

from __future__ import annotations

import pytest

from skillc.config import Config, ConfigError, load_config


def test_an_empty_file_means_the_defaults() -> None:
    assert load_config("skillc.toml", "") == Config()


def test_settings_are_read_from_both_homes() -> None:
    wanted = Config(strict=True, build="out/plans")
    assert load_config("skillc.toml", 'strict = true\nbuild = "out/plans"\n') == wanted
    assert load_config("pyproject.toml", '[tool.skillc]\nstrict = true\nbuild = "out/plans"\n') == wanted


def test_a_pyproject_without_our_table_is_none_of_ours() -> None:
    assert load_config("a/pyproject.toml", "[project]\nname = 'x'\n") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stric = true", "did you mean `strict`?"),
        ("colour = 1", "known keys are skills, build"),
        ('strict = "yes"', "`strict` must be true or false, not 'yes'"),
        ("build = 3", "`build` must be text in quotes, not 3"),
        ('cache_url = "https://x"', "did you mean `cache-url`?"),
        ("cache-writ = true", "did you mean `cache-write`?"),
        ("cache-url = true", "`cache-url` must be text in quotes, not True"),
        ('cache-write = "yes"', "`cache-write` must be true or false, not 'yes'"),
        ('build = "/tmp/x"', "relative path inside the workspace"),
        ('build = "../x"', "relative path inside the workspace"),
        ("strict = ", "not valid TOML"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(text: str, said: str) -> None:
    error = load_config("skillc.toml", text)
    assert isinstance(error, ConfigError)
    assert error.message.startswith("skillc.toml: ") and said in error.message


@pytest.mark.parametrize(
    "text", ['build = "skills"', 'build = "skills/out"', 'skills = "build/x"', 'sessions = "skills/s.db"']
)
def test_what_is_written_lies_apart_from_what_authors_write(text: str) -> None:
    error = load_config("skillc.toml", text)
    assert isinstance(error, ConfigError) and "must lie apart" in error.message


def test_paths_are_normal_and_a_byte_order_mark_is_no_text() -> None:
    assert load_config("skillc.toml", '\ufeffskills = "./tales/"\n') == Config(skills="tales")
