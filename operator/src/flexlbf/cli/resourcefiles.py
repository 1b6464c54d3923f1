"""Manifests from files, directories and standard input, each mistake with its file and line."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from flexlbf.api.v1alpha1 import KINDS
from flexlbf.planning.offline import DuplicateResourceError, Fleet

SUFFIXES = frozenset({".yaml", ".yml", ".json"})
STANDARD_INPUT = "-"

_MODELS = {model.DEFINITION.kind: model for model in KINDS}
_GROUP = "flexlbf.io/"
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ResourceFileError(ValueError):
    """Bad input, told as one line: file, line, what is wrong and the mend."""

    def __init__(self, source: str, line: int, message: str) -> None:
        super().__init__(f"{source}:{line}: {message}")


class _Loader(_Base):  # type: ignore[misc]
    """YAML as Kubernetes reads it: a timestamp is a text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True)
class Document:
    """One resource of a file, with the nodes that know its lines."""

    source: str
    raw: dict[str, Any]
    node: yaml.Node

    def error(self, message: str, location: Iterable[int | str] = ()) -> ResourceFileError:
        """An error at the line of a field of this resource."""
        return ResourceFileError(self.source, _line(self.node, location), message)


def load(paths: Iterable[str], namespace: str) -> Fleet:
    """All resources of files and directories; those of no kind that planning needs do no harm.

    Raises:
        ResourceFileError: something can't be read, parsed, or is not as its schema says.
    """
    fleet = Fleet()
    for path in paths:
        for document in _documents(path):
            _check(document)
            try:
                fleet.add(document.raw, namespace)
            except DuplicateResourceError as error:
                raise document.error(str(error)) from error
    return fleet


def _documents(path: str) -> Iterator[Document]:
    if path == STANDARD_INPUT:
        yield from _parse(_decode(sys.stdin.buffer.read(), "standard input"), "standard input")
        return
    place = Path(path)
    if not place.is_dir():
        yield from _parse(_read(place), path)
        return
    files = sorted(each for each in place.iterdir() if each.suffix in SUFFIXES and each.is_file())
    if not files:
        raise ResourceFileError(path, 1, "there is no .yaml, .yml or .json file in it: name another folder")
    for each in files:
        yield from _parse(_read(each), str(each))


def _read(path: Path) -> str:
    try:
        return _decode(path.read_bytes(), str(path))
    except OSError as error:
        raise ResourceFileError(str(path), 1, f"{error.strerror}: name a file that can be read") from error


def _decode(content: bytes, source: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ResourceFileError(source, 1, "this is not UTF-8 text: name a YAML or JSON file") from error


def _parse(text: str, source: str) -> Iterator[Document]:
    loader = _Loader(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            raw = loader.construct_document(node)
            if raw is not None:
                yield from _flatten(raw, node, source)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ResourceFileError(
            source,
            mark.line + 1 if mark else 1,
            f"this is no YAML ({problem}): mend the line or the one above",
        ) from error
    finally:
        loader.dispose()


def _flatten(raw: Any, node: yaml.Node, source: str) -> Iterator[Document]:
    """The resource itself, or the items of a List."""
    document = Document(source, raw, node)
    if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str):
        raise document.error("this is no Kubernetes resource: write apiVersion, kind, metadata and spec")
    if raw["kind"] == "List" and isinstance(raw.get("items"), list):
        for index, item in enumerate(raw["items"]):
            yield from _flatten(item, _descend(node, ("items", index)), source)
        return
    yield document


def _check(document: Document) -> None:
    raw = document.raw
    metadata = raw.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        raise document.error("the resource has no name: write it in metadata.name", ("metadata",))
    if not isinstance(metadata.get("namespace", ""), str):
        raise document.error("metadata.namespace is no text: put it in quotes", ("metadata", "namespace"))
    if str(raw.get("apiVersion")).startswith(_GROUP):
        _check_ours(document, metadata["name"])
    for kind, field in (("ConfigMap", ("data",)), ("Namespace", ("metadata", "labels"))):
        if raw["kind"] == kind and not _are_texts(raw, field):
            raise document.error(f"{'.'.join(field)} of a {kind} has texts by name: quote its values", field)


def _are_texts(raw: dict[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = raw
    for step in path:
        value = value.get(step) or {}
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def _check_ours(document: Document, name: str) -> None:
    raw = document.raw
    model = _MODELS.get(raw["kind"])
    if model is None:
        raise document.error(
            f"there is no kind {raw['kind']!r}: write one of {', '.join(_MODELS)}", ("kind",)
        )
    try:
        model.read(raw)
    except ValidationError as error:
        mistake = error.errors()[0]
        location = mistake["loc"]
        where = ".".join(map(str, location)) or raw["kind"]
        raise document.error(f"{raw['kind']} {name!r}: {where}: {mistake['msg']}", location) from error


def _line(node: yaml.Node, location: Iterable[int | str]) -> int:
    return int(_descend(node, location).start_mark.line) + 1


def _descend(node: yaml.Node, location: Iterable[int | str]) -> yaml.Node:
    """The node of a field, or the last one on the way to it that is there."""
    for step in location:
        found = None
        if isinstance(node, yaml.MappingNode):
            found = next((value for key, value in node.value if key.value == step), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = node.value[step]
        if found is None:
            break
        node = found
    return node
