"""Starting Docker's daemon where there is none, and stopping exactly the one that we started."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from localcluster import cache, runc_shim
from localcluster.errors import LocalClusterError
from localcluster.progress import Run, say, step, tail

SOCKET = Path("/var/run/docker.sock")
START_SECONDS = 60.0
STOP_SECONDS = 60.0
SYS_RESOURCE_BIT = 24


def has_sys_resource() -> bool:
    """Whether containers on this host may be given CAP_SYS_RESOURCE."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapBnd:"):
            return bool(int(line.split()[1], 16) >> SYS_RESOURCE_BIT & 1)
    return True


def start() -> None:
    """Start the daemon, by systemd where it runs; the caller has seen that none answers."""
    if Path("/run/systemd/system").exists() and has_sys_resource():
        run = Run(cache.log_path("dockerd"), "systemctl start docker")
        with step("Starting Docker by systemd"):
            run("systemctl", "start", "docker")
        _record().write_text(json.dumps({"by": "systemd"}))
        return
    with step("Starting dockerd by hand, on its Unix socket only"):
        _start_by_hand()


def stop() -> None:
    """Stop the daemon that `start` started; one that was there before is left alone."""
    record = _record()
    if not record.exists():
        say("no Docker daemon was started from here")
        return
    started = json.loads(record.read_text())
    if started["by"] == "systemd":
        Run(cache.log_path("dockerd"), "systemctl stop docker")(
            "systemctl", "stop", "docker", "docker.socket"
        )
    elif _birth(started["pid"]) == started["birth"]:
        with step(f"Stopping dockerd (process {started['pid']})"):
            os.kill(started["pid"], signal.SIGTERM)
            _await_end(started["pid"], started["birth"])
    else:
        say("the Docker daemon started from here has ended already")
    record.unlink()


def _record() -> Path:
    return cache.folder("docker") / "started.json"


def _start_by_hand() -> None:
    folder = cache.folder("docker")
    log = cache.log_path("dockerd")
    (folder / "daemon.json").write_text(json.dumps(_configuration(folder), indent=2))
    with log.open("ab") as output:
        daemon = subprocess.Popen(
            [
                shutil.which("dockerd") or "/usr/sbin/dockerd",
                f"--config-file={folder / 'daemon.json'}",
                f"--pidfile={folder / 'dockerd.pid'}",
                f"--host=unix://{SOCKET}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            start_new_session=True,
        )
    _record().write_text(json.dumps({"by": "hand", "pid": daemon.pid, "birth": _birth(daemon.pid)}))
    deadline = time.monotonic() + START_SECONDS
    while not answers():
        if daemon.poll() is not None or time.monotonic() > deadline:
            raise LocalClusterError(f"dockerd did not come up. The end of {log}:\n{tail(log)}")
        time.sleep(0.2)
    daemon.returncode = 0  # it is to outlive us, of which Python would warn


def _configuration(folder: Path) -> dict[str, object]:
    """Docker's own defaults, and our runtime where runc alone would fail."""
    if has_sys_resource():
        return {}
    shim = folder / "runc-without-resource"
    source = Path(runc_shim.__file__).read_text()
    shim.write_text(f"#!{os.path.realpath(sys.executable)} -IS\n{source}")
    shim.chmod(0o755)
    return {"default-runtime": shim.name, "runtimes": {shim.name: {"path": str(shim)}}}


def answers() -> bool:
    """Whether a daemon answers the docker command."""
    try:
        said = subprocess.run(
            ["docker", "version", "--format", "{{.Server.Version}}"],
            check=False,
            capture_output=True,
            timeout=10,
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0


def _birth(pid: int) -> str | None:
    """When a process started, in the kernel's ticks: tells it from a later one with the same number."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return None
    fields = status.rsplit(")", 1)[1].split()
    return None if fields[0] == "Z" else fields[19]


def _await_end(pid: int, birth: str) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    while _birth(pid) == birth:
        if time.monotonic() > deadline:
            raise LocalClusterError(
                f"dockerd (process {pid}) does not end; its log is {cache.log_path('dockerd')}"
            )
        time.sleep(0.2)
