"""Builds the kernel as `flexlbf.scheduling._kernel`, one binary for every supported Python (abi3)."""

from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent

ROOT = HERE.parents[1]
SOURCES = (
    "bias.c",
    "filling.c",
    "kernel.c",
    "knapsack.c",
    "lists.c",
    "order.c",
    "partial.c",
    "pilot.c",
    "planned.c",
    "polish.c",
    "program.c",
    "shortest.c",
    "waiting.c",
)
HEADERS = (
    "grid.h",
    "kernel.h",
    "knapsack.h",
    "lists.h",
    "partial.h",
    "pilot.h",
    "polish.h",
    "random.h",
    "session.h",
)

ffibuilder = FFI()
for header in ("kernel.h", "pilot.h", "polish.h"):
    ffibuilder.cdef((HERE / header).read_text().split("*/", 1)[1])
ffibuilder.set_source(
    "flexlbf.scheduling._kernel",
    '#include <stdint.h>\n#include "kernel.h"\n#include "pilot.h"\n#include "polish.h"\n',
    sources=[str((HERE / name).relative_to(ROOT)) for name in SOURCES],
    depends=[str((HERE / name).relative_to(ROOT)) for name in HEADERS],
    include_dirs=[str(HERE)],
    # The same sums on every processor: no fused multiplication and addition.
    extra_compile_args=["-O3", "-ffp-contract=off"],
    py_limited_api=True,
)

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)
