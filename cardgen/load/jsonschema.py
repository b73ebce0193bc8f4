"""The shapes as JSON Schema (draft 2020-12), for editors. What the reader takes, the schema takes.

The reader sees scalars as they are written; an editor sees what YAML 1.2 makes of them, so `07` is a number there and
an empty value null. The schema allows for that wherever a text is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, assert_never

from cardgen.load import shapes
from cardgen.load.reader import BOOLEAN_WORDS

_SCALARS = ["string", "number", "boolean", "null"]
_LENGTH = r"^\s*[+-]?(\d{1,9}/\d{1,9}|\d{1,9}(\.\d{1,9})?|\.\d{1,9})\s*(mm|cm|in|pt)\s*$"
_WHOLE, _DECIMAL = r"^[-+]?[0-9]{1,15}$", r"^[-+]?([0-9]{1,15}(\.[0-9]{1,15})?|\.[0-9]{1,15})$"


def json_schema(shape: shapes.Shape, title: str) -> dict[str, Any]:
    """The schema of a whole file of the given shape."""
    definitions: dict[str, Any] = {}
    body = _schema(shape, definitions)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **body}
    if definitions:
        schema["$defs"] = definitions
    return schema


def _schema(shape: shapes.Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    match shape:
        case shapes.Text(pattern=pattern):
            return {"type": _SCALARS, "pattern": f"^(?:{pattern})$"} if pattern else {"type": _SCALARS}
        case shapes.Integer(min=low, max=high):
            return _bounded({"type": ["integer", "string"], "pattern": _WHOLE}, low, high)
        case shapes.Number(min=low, max=high):
            return _bounded({"type": ["number", "string"], "pattern": _DECIMAL}, low, high)
        case shapes.Boolean():
            # Every way of writing the words in capitals; YAML 1.2 knows some of them as booleans.
            return {"type": ["boolean", "string"], "pattern": f"^(?:{'|'.join(map(_any_case, BOOLEAN_WORDS))})$"}
        case shapes.Measure():
            return {"type": "string", "pattern": _LENGTH}
        case shapes.Choice(values=values):
            return {"enum": _as_read(values)}
        case shapes.Name(known=known):
            return {"enum": _as_read(sorted(known))} if known else {"type": _SCALARS}
        case shapes.Anything() | shapes.Data() | shapes.Raw():
            return {}
        case shapes.Sequence(of=of, min_items=least, max_items=most):
            return {"type": "array", "items": _schema(of, definitions), "minItems": least, "maxItems": most}
        case shapes.Mapped():
            return _mapped(shape, definitions)
        case shapes.Record(keys=keys):
            return _record(keys, definitions)
        case shapes.Either(scalar=scalar, sequence=sequence, mapping=mapping):
            options = [option for option in (scalar, sequence, mapping) if option is not None]
            return {"anyOf": [_schema(option, definitions) for option in options]}
        case shapes.Later(id=name, get=get):
            if name not in definitions:
                definitions[name] = {}
                definitions[name] = _schema(get(), definitions)
            return {"$ref": f"#/$defs/{name}"}
        case _:
            assert_never(shape)


def _any_case(word: str) -> str:
    return "".join(f"[{char.upper()}{char}]" for char in word)


def _as_read(values: Iterable[str]) -> list[Any]:
    """The words, and what YAML 1.2 reads where one stands without quotes."""
    found: list[Any] = []
    for value in values:
        found.append(value)
        if re.fullmatch(r"true|false", value, re.IGNORECASE):
            found.append(value.lower() == "true")
        elif value.lower() in {"", "null", "~"}:
            found.append(None)
        elif re.fullmatch(r"[-+]?[0-9]+", value):
            found.append(int(value))
        elif re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", value):
            found.append(float(value))
        elif re.fullmatch(r"0x[0-9a-fA-F]+|0o[0-7]+", value):
            found.append(int(value, 0))
    return found


def _bounded(schema: dict[str, Any], low: float | None, high: float | None) -> dict[str, Any]:
    if low is not None:
        schema["minimum"] = low
    if high is not None:
        schema["maximum"] = high
    return schema


def _mapped(shape: shapes.Mapped, definitions: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "additionalProperties": _schema(shape.of, definitions)}
    if isinstance(shape.key, shapes.Text) and shape.key.pattern:
        schema["propertyNames"] = {"pattern": f"^(?:{shape.key.pattern})$"}
    elif isinstance(shape.key, shapes.Name) and shape.key.known:
        schema["propertyNames"] = {"enum": sorted(shape.key.known)}
    if shape.min_items:
        schema["minProperties"] = shape.min_items
    if shape.max_items is not None:
        schema["maxProperties"] = shape.max_items
    return schema


def _record(keys: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, key in keys.items():
        properties[name] = _schema(key.shape, definitions)
        if key.about:
            properties[name]["description"] = key.about
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    required = [name for name, key in keys.items() if key.default is shapes.REQUIRED]
    if required:
        schema["required"] = required
    return schema
