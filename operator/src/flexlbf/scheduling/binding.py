"""The compiled kernel as cffi binds it (operator/native/), None where no compiler was to be had."""

try:
    from flexlbf.scheduling._kernel import ffi, lib  # type: ignore[import-not-found]
except ImportError:
    ffi = lib = None

AVAILABLE = lib is not None

__all__ = ["AVAILABLE", "ffi", "lib"]
