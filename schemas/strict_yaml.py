"""YAML files written by hand, read strictly: a key given twice or of the wrong kind is an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from sys import float_info
from typing import Any

import yaml

from towbench.schemas.errors import DataError

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class _Loader(yaml.CSafeLoader):
    """Takes no key twice: plain YAML keeps the last and says nothing."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be a name", key.start_mark
                )
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key.value} stands twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def parse_mapping(text: str, where: str) -> dict[str, Any]:
    """The mapping that a file holds.

    Raises:
        DataError: naming `where`, and the line where YAML knows it.
    """
    try:
        # A safe loader: the class adds a check to CSafeLoader, nothing else.
        data = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise DataError(f"{where}: not YAML as wanted here: {error}") from error
    return mapping(data, where)


def mapping(value: Any, at: str) -> dict[str, Any]:
    """`value` if it is a mapping."""
    if not isinstance(value, dict):
        raise DataError(f"{at}: wants a mapping of names, got {value!r}")
    return value


def check_keys(given: Mapping[str, Any], known: set[str], at: str) -> None:
    """Refuse keys that nothing reads."""
    if unknown := sorted(set(map(str, given)) - known):
        raise DataError(f"{at}: unknown key {unknown[0]}; known: {sorted(known)}")


def check_name(name: Any, at: str) -> None:
    """Refuse names that would not survive in ids and file names."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DataError(f"{at}: {name!r} is no name; wants small letters, digits and _")


def number(value: Any, at: str) -> float:
    """`value` as a finite number."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not abs(value) <= float_info.max
    ):
        raise DataError(f"{at}: wants a number, got {value!r}")
    return float(value)
