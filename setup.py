"""The compiled kernel; everything else about the package is in pyproject.toml."""

from setuptools import setup
from setuptools.command.build_ext import build_ext


class BuildKernel(build_ext):
    """Where there is no compiler, the package works on its Python loop, only slower."""

    def build_extensions(self) -> None:
        """Build what can be built."""
        for extension in self.extensions:
            extension.optional = True
        super().build_extensions()


setup(
    cffi_modules=["operator/native/build_kernel.py:ffibuilder"],
    cmdclass={"build_ext": BuildKernel},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
