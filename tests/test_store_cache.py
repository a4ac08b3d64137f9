"""The build cache gives back what was put under a key, all of it and verified, or nothing; and it never stops a build."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from breaking import Disk, broken
from cli import ROOT
from skillc.mounts import network_kind
from skillc.store import files, folder
from skillc.store.cache import Cache, local_folder, open_cache
from skillc.store.entry import LIMITS, OBJECTS, is_file_name
from skillc.store.files import write_atomic
from skillc.store.upkeep import clear, gc, stats, verify

KEY, OTHER = sha256(b"one").digest(), sha256(b"two").digest()
OUTCOME = b'{"found":[]}'
FILES = {"plan.json": b'{"schema":"skillc.plan/1"}', "write.prompt.md": "# 写作\n".encode()}
OLD = 10**9
"""A time long ago, in seconds."""


class Store:
    """A cache in a folder, and what it warned of."""

    def __init__(self, root: Path, **environment: str) -> None:
        self.root = root
        self.environment = environment
        self.warnings: list[str] = []

    def open(self) -> Cache:
        cache = open_cache(str(self.root), self.environment, self.warnings.append)
        assert cache is not None
        return cache

    @property
    def path(self) -> Path:
        return self.root / ".skillc" / "cache"

    def file(self, kind: str, name: str) -> Path:
        return self.path / kind / name[:2] / name

    @property
    def entry(self) -> Path:
        return self.file("ac", KEY.hex())

    def object(self, data: bytes) -> Path:
        return self.file("cas", sha256(data).hexdigest())

    def files(self) -> dict[str, bytes]:
        return {
            p.relative_to(self.path).as_posix(): p.read_bytes()
            for p in sorted(self.path.rglob("*"))
            if p.is_file() and not p.is_symlink()
        }


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A cache that holds one entry under KEY and another one under OTHER."""
    made = Store(tmp_path)
    cache = made.open()
    cache.put(KEY, OUTCOME, FILES)
    cache.put(OTHER, b'{"found":[1]}', {"plan.json": b"{}"})
    return made


def test_what_was_put_is_given_back_and_nothing_else(store: Store) -> None:
    cache = store.open()
    assert cache.get(KEY) == (OUTCOME, FILES)
    assert cache.get(OTHER) == (b'{"found":[1]}', {"plan.json": b"{}"})
    assert cache.get(sha256(b"three").digest()) is None
    assert store.warnings == []


def test_an_outcome_without_files_and_one_with_equal_files(tmp_path: Path) -> None:
    cache = Store(tmp_path).open()
    cache.put(KEY, b"", {})
    cache.put(OTHER, b"same", {"a.md": b"same", "b.md": b"same"})
    assert cache.get(KEY) == (b"", {}) and cache.get(OTHER) == (b"same", {"a.md": b"same", "b.md": b"same"})


def test_the_folder_is_as_documented_and_for_its_owner_alone(store: Store) -> None:
    manifest = json.loads(store.entry.read_bytes())
    assert manifest == {
        "digest": manifest["digest"],
        "files": {name: sha256(data).hexdigest() for name, data in FILES.items()},
        "format": "skillc.cache/1",
        "key": KEY.hex(),
        "outcome": sha256(OUTCOME).hexdigest(),
    }
    assert store.object(OUTCOME).read_bytes() == OUTCOME
    assert (store.path / ".gitignore").read_bytes() == b"*\n"
    assert (
        (store.path / "CACHEDIR.TAG")
        .read_bytes()
        .startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")
    )
    for made in (store.path.parent, store.path, store.path / "ac", store.entry.parent):
        assert made.stat().st_mode & 0o777 == 0o700
    assert store.open().get(KEY) and not list(store.path.rglob("*.tmp"))


def test_opening_touches_nothing_and_off_is_off(tmp_path: Path) -> None:
    assert Store(tmp_path).open().get(KEY) is None and list(tmp_path.iterdir()) == []
    for word in ("off", "0", "OFF", "false"):
        assert open_cache(str(tmp_path), {"SKILLC_CACHE": word}, pytest.fail) is None


def test_a_named_folder_is_shared_between_workspaces_and_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for workspace in ("a", "b"):
        (tmp_path / workspace).mkdir()
    one = Store(tmp_path / "a", SKILLC_CACHE_DIR=str(tmp_path / "link" / "cache"))
    one.open().put(KEY, OUTCOME, FILES)
    other = Store(tmp_path / "b", SKILLC_CACHE_DIR="../link/cache")
    assert other.open().get(KEY) == (OUTCOME, FILES)
    assert (tmp_path / "real/cache/ac").is_dir() and not any((tmp_path / "a").iterdir())
    assert one.warnings == other.warnings == []


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def entry_swapped(store: Store) -> None:
    store.entry.write_bytes(store.file("ac", OTHER.hex()).read_bytes())


def object_swapped(store: Store) -> None:
    store.object(OUTCOME).write_bytes(FILES["plan.json"])


def forged(change: Callable[[dict[str, object]], object]) -> Callable[[Store], None]:
    """A manifest whose own digest is right, as somebody would write it who knows the format."""

    def forge(store: Store) -> None:
        manifest = json.loads(store.entry.read_bytes())
        change(manifest)
        del manifest["digest"]
        dumped = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
        manifest["digest"] = sha256(dumped.encode()).hexdigest()
        store.entry.write_text(json.dumps(manifest, sort_keys=True, separators=(",", ":")))

    return forge


def renamed_out(manifest: dict[str, object]) -> None:
    manifest["files"] = {"../../escaped": sha256(OUTCOME).hexdigest()}


class Trap:
    """What runs when a pickle is loaded."""

    def __reduce__(self) -> tuple[object, ...]:
        return (os.system, ("touch trapped",))


DAMAGES: dict[str, Callable[[Store], object]] = {
    "entry-flipped": lambda store: flipped(store.entry),
    "entry-cut": lambda store: cut(store.entry),
    "entry-empty": lambda store: emptied(store.entry),
    "entry-swapped": entry_swapped,
    "entry-deep": lambda store: store.entry.write_bytes(b"[" * 100_000),
    "entry-list": lambda store: store.entry.write_bytes(b"[]"),
    "entry-pickle": lambda store: store.entry.write_bytes(pickle.dumps(Trap())),
    "entry-large": lambda store: os.truncate(store.entry, (1 << 20) + 1),
    "entry-other-key": forged(lambda manifest: manifest.update(key=OTHER.hex())),
    "entry-other-format": forged(lambda manifest: manifest.update(format="skillc.cache/2")),
    "entry-more": forged(lambda manifest: manifest.update(more=1)),
    "entry-path-as-digest": forged(lambda manifest: manifest.update(outcome="../" * 22)),
    "entry-number": forged(lambda manifest: manifest.update(outcome=1)),
    "entry-escaping": forged(renamed_out),
    "object-flipped": lambda store: flipped(store.object(OUTCOME)),
    "object-cut": lambda store: cut(store.object(FILES["plan.json"])),
    "object-empty": lambda store: emptied(store.object(FILES["write.prompt.md"])),
    "object-swapped": object_swapped,
    "object-pickle": lambda store: store.object(OUTCOME).write_bytes(pickle.dumps(Trap())),
    "object-large": lambda store: os.truncate(store.object(OUTCOME), LIMITS[OBJECTS] + 1),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_a_miss_a_warning_and_set_aside(
    store: Store, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    DAMAGES[damage](store)
    cache = store.open()
    assert cache.get(KEY) is None and cache.get(KEY) is None
    (warning,) = store.warnings
    assert "is damaged; it is set aside and made anew" in warning and ".skillc/cache/" in warning
    assert len(list((store.path / "aside").iterdir())) == 1
    assert cache.get(OTHER) == (b'{"found":[1]}', {"plan.json": b"{}"})
    cache.put(KEY, OUTCOME, FILES)
    assert cache.get(KEY) == store.open().get(KEY) == (OUTCOME, FILES)
    assert store.warnings == [warning] and not (tmp_path / "trapped").exists()


def test_many_damaged_entries_are_one_warning(store: Store) -> None:
    for path in store.path.rglob("*"):
        if path.is_file() and len(path.name) == 64:
            flipped(path)
    cache = store.open()
    assert cache.get(KEY) is None and cache.get(OTHER) is None
    assert len(store.warnings) == 1 and len(list((store.path / "aside").iterdir())) == 2


def test_an_entry_whose_object_is_gone_is_a_miss_without_a_word(store: Store) -> None:
    store.object(OUTCOME).unlink()
    cache = store.open()
    assert cache.get(KEY) is None and store.warnings == []
    cache.put(KEY, OUTCOME, FILES)
    assert cache.get(KEY) == (OUTCOME, FILES)


@pytest.mark.parametrize("planted", ["entry", "object"])
def test_a_planted_link_to_a_file_is_not_followed(store: Store, tmp_path: Path, planted: str) -> None:
    path = store.entry if planted == "entry" else store.object(OUTCOME)
    outside = tmp_path / "outside"
    outside.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(outside)
    cache = store.open()
    assert cache.get(KEY) is None and len(store.warnings) == 1
    before = outside.read_bytes()
    cache.put(KEY, OUTCOME, FILES)
    assert cache.get(KEY) == (OUTCOME, FILES)
    assert outside.read_bytes() == before and not path.is_symlink()


@pytest.mark.parametrize("step", ["", "ac", "cas"])
def test_a_planted_link_to_a_folder_is_not_followed(tmp_path: Path, step: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    store = Store(tmp_path / "w")
    link = store.path / step
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)
    cache = store.open()
    cache.put(KEY, OUTCOME, FILES)
    assert cache.get(KEY) is None
    assert list(outside.iterdir()) == [] and len(store.warnings) == 1
    assert clear(local_folder(str(store.root), {}, pytest.fail)).entries == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_in_place_of_a_file_does_not_stop_the_build(store: Store) -> None:
    store.entry.unlink()
    os.mkfifo(store.entry)
    assert store.open().get(KEY) is None and len(store.warnings) == 1


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path: Path) -> None:
    (tmp_path / ".skillc").mkdir()
    (tmp_path / ".skillc" / "cache").write_text("a file")
    store = Store(tmp_path)
    cache = store.open()
    for key in (KEY, OTHER):
        cache.put(key, OUTCOME, FILES)
        assert cache.get(key) is None
    assert len(store.warnings) == 1 and "the build goes on without it" in store.warnings[0]
    assert (tmp_path / ".skillc" / "cache").read_text() == "a file"


def test_e89_a_full_disk_costs_the_new_entry_and_one_warning(store: Store) -> None:
    cache = store.open()
    with broken(Disk(1, "fail"), files):
        cache.put(KEY, b"new", FILES)
    cache.put(sha256(b"three").digest(), b"new", FILES)
    assert cache.get(KEY) == (OUTCOME, FILES) and len(store.warnings) == 1
    assert "No space left on device" in store.warnings[0]


def test_too_much_is_not_kept_and_a_strange_name_is_a_mistake(tmp_path: Path) -> None:
    store = Store(tmp_path)
    cache = store.open()
    cache.put(KEY, OUTCOME, {"plan.json": bytes(LIMITS[OBJECTS] + 1)})
    assert cache.get(KEY) is None and not store.path.exists() and store.warnings == []
    for name in (
        "../plan.json",
        "a/b",
        "",
        ".",
        "..",
        ".hidden",
        "a\0b",
        "a\nb",
        "c:d",
        "x" * 256,
        "\ud800",
        None,
    ):
        assert not is_file_name(name)
    with pytest.raises(ValueError):
        cache.put(KEY, OUTCOME, {"../plan.json": b""})


NEW = (b'{"found":[2]}', {"plan.json": b"[]", "tell.prompt.md": b"# tell\n"})


@pytest.mark.parametrize("how", ["fail", "crash", "short"])
def test_whatever_call_goes_wrong_the_old_entry_or_the_new_one_is_there_whole(
    tmp_path: Path, how: str
) -> None:
    counted = Disk()
    for at in range(1, 10_000):
        store = Store(tmp_path / f"{how}{at}")
        store.open().put(KEY, OUTCOME, FILES)
        with broken(Disk(at, how), files, folder) as disk:
            store.open().put(KEY, *NEW)
        assert store.open().get(KEY) in ((OUTCOME, FILES), NEW)
        store.open().put(KEY, *NEW)
        assert store.open().get(KEY) == NEW
        if len(disk.calls) < at:
            counted = disk
            break
    assert counted.calls.count("replace") == 4 and {"mkdir", "open", "write", "close"} < set(counted.calls)


@pytest.mark.parametrize("how", ["fail", "crash", "short"])
@pytest.mark.parametrize("durable", [True, False])
def test_whatever_call_goes_wrong_a_file_is_the_old_or_the_new_one(
    tmp_path: Path, how: str, durable: bool
) -> None:
    kept = []
    for at in range(1, 100):
        target = tmp_path / str(at) / "plan.json"
        write_atomic(str(target), b"old")
        disk = Disk(at, how)
        try:
            with broken(disk, files):
                write_atomic(str(target), b"new bytes", durable=durable)
        except OSError as error:
            assert how != "crash" and error.filename == str(target)
            assert [path.name for path in target.parent.iterdir()] == ["plan.json"]
        kept.append(target.read_bytes())
        assert kept[-1] in (b"old", b"new bytes")
        if len(disk.calls) < at:
            break
    assert kept[0] == b"old" and kept[-1] == b"new bytes"
    assert ("fsync" in disk.calls) is durable


def test_a_write_that_takes_little_at_a_time_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:3])))
    write_atomic(str(tmp_path / "plan.json"), b"eight or so bytes")
    assert (tmp_path / "plan.json").read_bytes() == b"eight or so bytes"


WORKER = """
import sys
from hashlib import sha256
from skillc.store.cache import open_cache

cache = open_cache(sys.argv[1], {}, lambda text: sys.exit("warned: " + text))
hits = 0
for turn in range(50):
    number = (turn * int(sys.argv[2])) % 7
    key, outcome = sha256(b"%d" % number).digest(), b"outcome %d" % number
    files = {"plan.json": b"plan %d" % number * 999, "w.prompt.md": b"shared"}
    found = cache.get(key)
    assert found is None or found == (outcome, files), found
    hits += found is not None
    cache.put(key, outcome, files)
    assert cache.get(key) == (outcome, files)
print(hits)
"""


def test_b50_e86_eight_processes_on_one_empty_store(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WORKER, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    running = [
        subprocess.Popen([*command, str(seed)], env=environment, stdout=subprocess.PIPE, text=True)
        for seed in range(1, 9)
    ]
    told = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * 8 and all(int(hits) > 30 for hits in told)
    found = verify(local_folder(str(tmp_path), {}, pytest.fail))
    assert found.damaged == () and found.incomplete == 0
    assert (found.read.entries, found.read.objects) == (7, 15)
    assert not list(tmp_path.rglob("*.tmp"))


def test_opening_and_using_the_folder_loads_no_client(tmp_path: Path) -> None:
    script = (
        "import sys; from skillc.store.cache import open_cache;"
        f"c = open_cache({str(tmp_path)!r}, {{}}, print); c.put(bytes(32), b'', {{}}); assert c.get(bytes(32));"
        "print([m for m in ('http.client', 'ssl', 'socket', 'urllib.parse', 'pickle', 'email') if m in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'compiler')!r}); {script}"], env=environment, capture_output=True, text=True)  # fmt: skip
    assert done.stdout.strip() == "[]", done.stderr


def aged(path: Path, seconds: int) -> None:
    os.utime(path, (seconds, seconds))


def test_a_hit_counts_as_use(store: Store) -> None:
    aged(store.entry, OLD)
    assert store.open().get(KEY)
    assert store.entry.stat().st_mtime > OLD + 86400
    aged(store.entry, now := int(store.entry.stat().st_mtime) - 3600)
    assert store.open().get(KEY)
    assert store.entry.stat().st_mtime == now


def look_after(store: Store) -> folder.Folder:
    return local_folder(str(store.root), {}, lambda text: None)


def test_gc_by_age_takes_the_entry_and_what_only_it_has(store: Store) -> None:
    store.open().put(sha256(b"three").digest(), OUTCOME, {"plan.json": b"third"})
    before = stats(look_after(store))
    aged(store.entry, OLD)
    gone, left = gc(look_after(store), OLD + 1000, max_age=1001)
    assert gone.entries == 0 and left == before
    gone, left = gc(look_after(store), OLD + 1000, max_age=999)
    assert (gone.entries, gone.objects, left.entries) == (1, 2, 2)
    assert gone.size + left.size == before.size
    assert store.open().get(KEY) is None and store.open().get(OTHER) and store.object(OUTCOME).exists()


def test_gc_by_size_takes_the_least_recently_used_first(store: Store) -> None:
    aged(store.entry, OLD + 5)
    aged(store.file("ac", OTHER.hex()), OLD)
    size = stats(look_after(store)).size
    gone, left = gc(look_after(store), OLD + 10, max_size=size)
    assert gone.entries == 0 and left.size == size
    gone, left = gc(look_after(store), OLD + 10, max_size=size - 1)
    assert gone.entries == 1 and store.open().get(OTHER) is None and store.open().get(KEY)
    gone, left = gc(look_after(store), OLD + 10, max_size=0)
    assert (left.entries, left.objects, left.size) == (0, 0, 0)


def test_gc_clears_up_behind_writers_that_died_and_leaves_those_that_run(store: Store) -> None:
    objects = store.entry.parent.parent.parent / "cas" / "00"
    objects.mkdir(exist_ok=True)
    names = {"old.tmp": OLD - 5000, "new.tmp": OLD, "old": OLD - 5000, "new": OLD}
    for name, time in names.items():
        orphan = sha256(name.encode()).hexdigest()
        path = objects / (f".skillc-{orphan}.tmp" if name.endswith(".tmp") else f"00{orphan[2:]}")
        path.write_bytes(b"x")
        aged(path, time)
        names[name] = int(path.stat().st_mtime) and time
    flipped(store.entry)
    assert store.open().get(KEY) is None
    gone, left = gc(look_after(store), OLD + 100, max_size=1 << 30)
    assert (gone.entries, gone.aside, left.aside) == (0, 1, 0)
    there = sorted(path.name for path in objects.iterdir())
    assert len(there) == 2 and there[0].endswith(".tmp") and len(there[1]) == 64
    assert store.open().get(OTHER)


def test_e87_nothing_is_thrown_out_unasked(tmp_path: Path) -> None:
    cache = Store(tmp_path).open()
    keys = [sha256(b"%d" % number).digest() for number in range(12)]
    for key in keys:
        cache.put(key, key * 8192, {})
    assert all(cache.get(key) == (key * 8192, {}) for key in keys)


def test_verify_names_what_is_damaged_and_sets_it_aside(store: Store, tmp_path: Path) -> None:
    assert verify(look_after(store)).damaged == ()
    flipped(store.object(OUTCOME))
    cut(store.file("ac", OTHER.hex()))
    (link := store.object(FILES["plan.json"])).unlink()
    link.symlink_to(tmp_path / "nowhere")
    found = verify(look_after(store))
    names = [OUTCOME, FILES["plan.json"]]
    wanted = [f"ac/{OTHER.hex()}", *(f"cas/{sha256(data).hexdigest()}" for data in names)]
    assert found.damaged == tuple(sorted(wanted)) and found.incomplete == 1
    again = verify(look_after(store))
    assert again.damaged == () and again.incomplete == 1
    assert stats(look_after(store)).aside == 3


def test_clear_takes_what_is_ours_and_nothing_else(store: Store) -> None:
    for name in ("mine.txt", "ac/mine.txt", "cas/00/mine.txt", "cas/zz/" + "a" * 64):
        path = store.path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("mine")
    assert clear(look_after(store)).entries == 2
    left = store.files()
    assert set(left) == {
        ".gitignore",
        "CACHEDIR.TAG",
        "mine.txt",
        "ac/mine.txt",
        "cas/00/mine.txt",
        "cas/zz/" + "a" * 64,
    }
    assert store.open().get(KEY) is None and store.warnings == []


MOUNTS = """21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 21 0:35 / /home rw - nfs4 files:/home rw
41 40 8:2 / /home/me/fast\\040disk rw - xfs /dev/sdb1 rw
a line that is none
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/x", None),
        ("/home/me/w", "nfs4"),
        ("/home/me/fast disk/w", None),
        ("/homes", None),
        ("/home", "nfs4"),
    ],
)
def test_e85_a_network_file_system_is_known(path: str, kind: str | None) -> None:
    assert network_kind(path, MOUNTS) == kind
