"""The compiled kernel; everything else about the package is in pyproject.toml."""

from setuptools import setup

setup(
    cffi_modules=["operator/native/build_kernel.py:ffibuilder"],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
