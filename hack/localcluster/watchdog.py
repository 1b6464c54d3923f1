"""Ends a group of processes, and removes their directory, when the one that started them is gone.

Run as a program of its own. Its standard input is a pipe that only the starter holds open: the kernel
closes it however the starter ends, even by SIGKILL. The processes join the group of a sleeping child of
ours, so that the group's number cannot be taken by anyone else while we live.
"""

import os
import select
import shutil
import signal
import sys
import time


def main() -> None:
    """Print the group's number, wait for the end of standard input, then clean up."""
    starter = os.getppid()
    leader = os.fork()
    if leader == 0:
        os.setpgid(0, 0)
        os.close(0)
        os.close(1)
        while True:
            signal.pause()
    os.setpgid(leader, leader)
    sys.stdout.write(f"{leader}\n")
    sys.stdout.flush()
    # A forked copy of the starter may hold the pipe open after its death: look for that as well.
    while not select.select([0], [], [], 1.0)[0] and os.getppid() == starter:
        pass
    os.killpg(leader, signal.SIGKILL)
    os.waitpid(leader, 0)
    for directory in sys.argv[1:]:
        _remove(directory)


def _remove(directory: str) -> None:
    """Killed processes may write for another moment."""
    for _ in range(50):
        shutil.rmtree(directory, ignore_errors=True)
        if not os.path.exists(directory):  # noqa: PTH110 - pathlib would double this program's start-up time
            return
        time.sleep(0.02)


if __name__ == "__main__":
    main()
