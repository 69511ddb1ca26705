"""Structs as the scalars in them: Spin sends, receives and passes structs field by field."""

from __future__ import annotations

from burnside.diagnostics import InputError
from burnside.languages.promela.expressions import FieldAccess, Number, Reference
from burnside.languages.promela.types import ScalarType, StructType, Type, Variable
from burnside.languages.shared.spans import Extent

MAX_SCALARS = 1024
"""Of one message, or of one argument."""


def scalars(reference: Reference) -> list[Reference]:
    """All scalars in a place, in the order of the fields; elements of arrays one by one."""
    if isinstance(reference.type, ScalarType):
        return [reference]
    found: list[Reference] = []
    for field in reference.type.fields:
        if field.size is not None and isinstance(field.type, StructType):
            message = f"the field '{field.name}' is an array of structs, which cannot be part of a message or an argument"
            raise InputError(reference.at.diagnostic(message))
        for index in [None] if field.size is None else range(field.size):
            step = FieldAccess(reference.at, field, None if index is None else Number(reference.at, index))
            inner = Reference(reference.at, reference.variable, reference.index, (*reference.path, step))
            found += scalars(inner)
            if len(found) > MAX_SCALARS:
                raise InputError(reference.at.diagnostic(f"this struct has more than {MAX_SCALARS:,} fields"))
    return found


def scalar_types(type_: Type, at: Extent) -> list[ScalarType]:
    """The types of the scalars in a value of this type."""
    example = Reference(at, Variable(at, "", "", type_, None, None))
    return [each.type for each in scalars(example) if isinstance(each.type, ScalarType)]
