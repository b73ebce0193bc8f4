"""The shapes as JSON Schema (draft 2020-12), for editors. What the reader takes, the schema takes."""

from __future__ import annotations

from typing import Any

from cardgen.load import shapes

_SCALAR = {"type": ["string", "number", "boolean"]}
_LENGTH = r"^\s*[+-]?(\d+/\d+|\d*\.?\d+)\s*(mm|cm|in|pt)\s*$"


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
            # The reader takes any scalar as text; an editor sees numbers and booleans there.
            return {"type": "string", "pattern": f"^(?:{pattern})$"} if pattern else dict(_SCALAR)
        case shapes.Integer(min=low, max=high):
            return _bounded({"type": "integer"}, low, high)
        case shapes.Number(min=low, max=high):
            return _bounded({"type": "number"}, low, high)
        case shapes.Boolean():
            return {"type": "boolean"}
        case shapes.Measure():
            return {"type": "string", "pattern": _LENGTH}
        case shapes.Choice(values=values):
            return {"enum": list(values)}
        case shapes.Name(known=known):
            return {"enum": sorted(known)} if known else {"type": "string"}
        case shapes.Sequence(of=of, min_items=least):
            return {"type": "array", "items": _schema(of, definitions), "minItems": least}
        case shapes.Mapped(of=of):
            return {"type": "object", "additionalProperties": _schema(of, definitions)}
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


def _bounded(schema: dict[str, Any], low: float | None, high: float | None) -> dict[str, Any]:
    if low is not None:
        schema["minimum"] = low
    if high is not None:
        schema["maximum"] = high
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
