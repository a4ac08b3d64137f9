"""Model profiles of a workspace: what is known of each, and where it is written."""

from __future__ import annotations

import json

import pytest

from reading import lines
from skillc import driver
from skillc.diagnostic import Diagnostic, in_order
from skillc.execute.models.ladder import CAPABILITIES
from skillc.execute.profiles import Profile as SessionProfile
from skillc.execute.profiles import ProfileError, load_profiles
from skillc.model import profiles as checked
from skillc.model.package import Workspace
from skillc.model.profiles import Profiles
from skillc.model.workspace import build_workspace
from skillc.source.discover import read_workspace
from skillc.source.reader import DictReader

PLAIN = """[
  {"id": "local", "provider": "openai", "baseUrl": "http://127.0.0.1:8080/v1", "model": "smol",
   "contextWindow": 2048, "capabilities": ["json_object"], "timeoutSeconds": 9}
]
"""


def read(text: str, path: str = "profiles.json") -> tuple[Profiles | None, tuple[Diagnostic, ...]]:
    workspace, found = workspace_of({path: text}, path)
    return workspace.profiles, found


def workspace_of(
    files: dict[str, str], profiles: str | None = "profiles.json"
) -> tuple[Workspace, tuple[Diagnostic, ...]]:
    read, form = read_workspace(DictReader(files), profiles=profiles)
    workspace, meaning = build_workspace(read)
    return workspace, in_order([*form, *meaning])


def test_a_list_of_profiles() -> None:
    profiles, found = read(PLAIN)
    assert profiles is not None and found == ()
    local = profiles.by_id["local"]
    assert (local.model, local.context_window, local.capabilities) == ("smol", 2048, {"json_object"})
    assert local.window_span is not None and local.window_span.text == "2048"
    assert local.span.text.strip('"') == "local"
    assert profiles.default == "local" and profiles.default_span is None and not profiles.broken


def test_a_mapping_with_a_default_and_capabilities_as_a_table() -> None:
    text = (
        '{"defaultProfileId": "b", "profiles": ['
        '{"id": "a", "model": "x", "capabilities": {"json_schema": true, "json_object": false}},'
        '{"id": "b", "model": "y", "maxOutputTokens": 900}]}'
    )
    profiles, found = read(text)
    assert profiles is not None and found == ()
    assert profiles.default == "b" and profiles.default_span is not None
    assert profiles.by_id["a"].capabilities == {"json_schema"}
    assert profiles.by_id["b"].max_output_tokens == 900


def test_two_profiles_and_no_default() -> None:
    profiles, _ = read('[{"id": "a", "model": "x"}, {"id": "b", "model": "y"}]')
    assert profiles is not None and profiles.default is None


def test_no_file_is_no_finding_and_nothing_known() -> None:
    workspace, found = workspace_of({})
    assert workspace.profiles is None and found == ()
    assert workspace_of({"profiles.json": "{"}, None)[0].profiles is None


def test_a_file_elsewhere_and_in_yaml() -> None:
    profiles, found = read("- id: a\n  model: x\n  contextWindow: 8000\n", "settings/models.yaml")
    assert profiles is not None and found == ()
    assert profiles.by_id["a"].context_window == 8000


def test_what_is_wrong_is_said_at_its_place_and_the_rest_stands() -> None:
    text = '[\n{"id": "a", "model": "x", "contextWindow": "many"},\n{"model": "y"},\n{"id": "c", "model": "z"},\n{"id": "c", "model": "q"}\n]'
    profiles, found = read(text)
    assert profiles is not None and profiles.broken
    assert lines(found) == ["2:45 field-type", "3:1 missing-field", "5:9 duplicate-key"]
    assert profiles.by_id["a"].context_window is None and profiles.by_id["c"].model == "z"


def test_a_file_that_is_no_list_and_one_that_cannot_be_read() -> None:
    profiles, found = read('{"models": []}')
    assert profiles is not None and profiles.broken and lines(found) == ["1:1 field-type"]
    profiles, found = read('[{"id": "a"')
    assert profiles is not None and profiles.broken and [d.code.slug for d in found] == ["yaml-syntax"]


def test_check_and_session_read_the_same_file() -> None:
    """The executor's loader takes every file that the check finds nothing in, and sees the same profiles."""
    data = json.loads(PLAIN)
    profiles, _ = read(PLAIN)
    session = load_profiles(data)
    assert profiles is not None
    assert session.default == profiles.default
    for id, profile in profiles.by_id.items():
        other = session.by_id[id]
        assert (other.model, other.provider, other.baseUrl, other.contextWindow, set(other.capabilities)) == (
            profile.model,
            profile.provider,
            profile.base_url,
            profile.context_window,
            profile.capabilities,
        )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"id": "a", "model": "x", "contextWindw": 9}]', ["1:29 unknown-field"]),
        ('[{"id": "a", "model": "x", "apiKey": "sk-1"}]', ["1:29 unknown-field"]),
        ('[{"id": "a", "model": "x", "capabilities": ["json_shema"]}]', ["1:46 unknown-field"]),
        ('[{"id": "a", "model": "x", "capabilities": {"json_shema": true}}]', ["1:46 unknown-field"]),
        ('{"profils": [{"id": "a", "model": "x"}]}', ["1:3 unknown-field"]),
        ('{"profiles": [], "default": "a"}', ["1:19 unknown-field"]),
        ('{"profiles":', ["1:13 yaml-syntax"]),
    ],
)
def test_what_no_session_takes_is_found_by_the_check(text: str, said: list[str]) -> None:
    _, found = read(text)
    assert lines(found) == said
    with pytest.raises((ProfileError, ValueError)):
        load_profiles(json.loads(text))


def test_keys_of_your_own_are_free_for_both() -> None:
    text = '{"x-by": "me", "profiles": [{"id": "a", "model": "x", "x-note": "slow"}]}'
    profiles, found = read(text)
    assert profiles is not None and not profiles.broken and found == ()
    assert load_profiles(json.loads(text)).by_id["a"].model == "x"


def test_both_know_the_same_keys_and_capabilities() -> None:
    assert set(checked.ProfileFields.known()) == set(SessionProfile.model_fields)
    assert checked.CAPABILITIES == CAPABILITIES


def test_broken_profiles_are_told_to_who_checks_one_package() -> None:
    """They switch off what is said of contexts that do not fit, of every package."""
    files = {
        "skills/registry.yaml": "skills: {}\n",
        "skills/novel/a/orchestrator.md": "---\nname: a\n---\n",
        "skills/novel/b/orchestrator.md": "---\nname: b\n---\n",
        "profiles.json": '{"profiles":',
    }
    found = driver.check(DictReader(files), only=frozenset({"novel/a"})).diagnostics
    assert [d.code.slug for d in found if d.span.path == "profiles.json"] == ["yaml-syntax"]
    assert not any(d.span.path.startswith("skills/novel/b") for d in found)
