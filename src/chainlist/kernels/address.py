"""Bundles of arrays, as compiled kernels see them: one address instead of some hundred numbers.

Kernels pass `System` and `Work`, named tuples of arrays, to one another. Numba would hand over every field of every array as
an argument of its own, in each call: a quarter of the time of a compilation would go into that. Here a bundle is the address of
a list of words (of an array where it lies and its shape; of a number the number), and `s.mass` reads just what it names.
The list never changes while a kernel runs, and the compiler is told so. Gauges and counters (`gauges.py`) are in it by the address of
their numbers, which kernels read and write. Interpreted kernels see the tuples themselves.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from chainlist.kernels.gauges import Numbers

WORD = 8  # bytes


class BundleType(types.Type):
    """A named tuple by address: its class, and of each field its type and the word where it begins."""

    def __init__(self, kind: str, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields: dict[str, tuple[Any, int]] = {}
        self.words = 0
        for name, field in fields:
            self.fields[name] = (field, self.words)
            self.words += _words_of(field)
        # a short name: it becomes part of the name of every kernel
        digest = hashlib.sha1(repr(fields).encode()).hexdigest()[:8]
        super().__init__(name=f"{kind}_{digest}")


class NumbersType(types.Type):
    """Gauges or counters by address: the type of all of them, and of each its name and the word where it lies."""

    def __init__(self, kind: type[Numbers]) -> None:
        self.number = from_dtype(np.dtype(kind.kind))
        self.places = {name: at for at, name in enumerate(kind.fields)}
        # machine code on disk is found by this name: other fields must have another one
        digest = hashlib.sha1(repr((kind.fields, self.number)).encode()).hexdigest()[:8]
        super().__init__(name=f"{kind.__name__}_{digest}")


def _words_of(field: Any) -> int:
    if isinstance(field, BundleType):
        return field.words
    if isinstance(field, types.Array):
        return 1 + int(field.ndim)
    return 0 if field is types.none else 1


class Handed:
    """A bundle on its way into a compiled kernel: the address of its words, which live as long as this does.

    Its arrays live as long as the bundle.
    """

    def __init__(self, bundle: Any) -> None:
        words: list[int] = []
        key: list[Any] = []
        _write(bundle, words, key)
        self._words = np.array(words, np.int64)
        self.address: int = self._words.__array_interface__["data"][0]
        self._numba_type_ = _type_of(bundle, tuple(key))


def hand_over(bundle: Any) -> Handed:
    """The words of a bundle; made once, and kept by the bundle itself where it can (a named tuple has no place for them)."""
    kept = getattr(bundle, "__dict__", {})
    if "handed" not in kept:
        kept["handed"] = Handed(bundle)
    known: Handed = kept["handed"]
    return known


def _write(bundle: Any, words: list[int], key: list[Any]) -> None:
    """The words of a bundle, and what its type depends on: to compute that takes a tenth of the time of the type itself."""
    key.append(type(bundle))
    for value in bundle:
        if isinstance(value, np.ndarray):
            words.append(_place_of(value))
            words.extend(value.shape)
            key.append((value.dtype.char, value.ndim))
        elif isinstance(value, tuple):
            _write(value, words, key)
        elif isinstance(value, Numbers):
            words.append(_place_of(value.numbers))
            key.append(type(value))
        else:
            key.append(type(value))
            if isinstance(value, float):
                words.extend(struct.unpack("q", struct.pack("d", value)))
            elif value is not None:
                words.append(int(value))


def _place_of(array: NDArray[Any]) -> int:
    """Where its first number lies. `array.ctypes.data` says the same and takes four times as long."""
    if array.size == 0:
        return 0  # nobody reads there
    flags = array.flags
    if flags.carray:  # in one piece, and to be written to
        return _address_of(_first_of(array))  # type: ignore[arg-type]
    if not flags.c_contiguous:
        raise TypeError("an array in a bundle must lie in one piece, row after row")
    return int(array.__array_interface__["data"][0])


_address_of, _first_of = ctypes.addressof, ctypes.c_char.from_buffer

_TYPES: dict[Any, BundleType] = {}


def _type_of(bundle: Any, key: tuple[Any, ...]) -> BundleType:
    if key not in _TYPES:
        fields = zip(bundle._fields, (_field_type(value) for value in bundle), strict=True)
        _TYPES[key] = BundleType(type(bundle).__name__, tuple(fields))
    return _TYPES[key]


def _field_type(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return types.Array(from_dtype(value.dtype), value.ndim, "C")
    if isinstance(value, tuple):
        return Handed(value)._numba_type_
    if isinstance(value, Numbers):
        return NumbersType(type(value))
    return types.none if value is None else types.float64 if isinstance(value, float) else types.int64


@register_model(BundleType)
class _Address(models.OpaqueModel):
    pass


@infer_getattr
class _Fields(AttributeTemplate):
    key = BundleType

    def generic_resolve(self, typ: BundleType, attr: str) -> Any:  # type: ignore[override]
        return typ.fields[attr][0] if attr in typ.fields else None


@lower_getattr_generic(BundleType)  # type: ignore[untyped-decorator]
def _read(context: Any, builder: Any, bundle: BundleType, address: Any, name: str) -> Any:
    field, first = bundle.fields[name]
    _promise_to_be_there(builder.function, bundle, address)

    def place(word: int) -> Any:
        return builder.gep(address, [ir.Constant(ir.IntType(64), WORD * word)])

    def word(number: int, kind: Any) -> Any:
        loaded = builder.load(builder.bitcast(place(number), kind.as_pointer()))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if field is types.none:
        return context.get_dummy_value()
    if isinstance(field, BundleType):
        return place(first)
    if not isinstance(field, types.Array):
        return word(first, context.get_value_type(field))
    item = context.get_data_type(field.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(item))
    shape = [word(first + 1 + axis, ir.IntType(64)) for axis in range(field.ndim)]
    strides = [size]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent, flags=["nsw"]))
    array = make_array(field)(context, builder)
    data = word(first, item.as_pointer())
    packed = [cgutils.pack_array(builder, numbers) for numbers in (shape, strides)]
    populate_array(array, data=data, shape=packed[0], strides=packed[1], itemsize=size, meminfo=None)
    return array._getvalue()


def _promise_to_be_there(function: Any, bundle: BundleType, address: Any) -> None:
    """All words of an argument can be read, before it is known that they must: so reading leaves the loops."""
    variable = address.operands[0].name if isinstance(address, ir.LoadInstr) else ""
    for argument in function.args:
        if argument is address or argument.name == f"arg.{variable}":
            argument.attributes.dereferenceable = WORD * bundle.words
            argument.attributes.align = WORD
            argument.add_attribute("noalias")


@register_model(NumbersType)
class _First(models.OpaqueModel):
    pass


@infer_getattr
class _Numbers(AttributeTemplate):
    key = NumbersType

    def generic_resolve(self, typ: NumbersType, attr: str) -> Any:  # type: ignore[override]
        return typ.number if attr in typ.places else None


@lower_getattr_generic(NumbersType)  # type: ignore[untyped-decorator]
def _read_number(context: Any, builder: Any, kind: NumbersType, first: Any, name: str) -> Any:
    return builder.load(_place_of_number(context, builder, kind, first, name))  # not invariant: kernels write it


@lower_setattr_generic(NumbersType)  # type: ignore[untyped-decorator]
def _write_number(context: Any, builder: Any, signature: Any, values: Any, name: str) -> None:
    first, value = values
    builder.store(value, _place_of_number(context, builder, signature.args[0], first, name))


def _place_of_number(context: Any, builder: Any, kind: NumbersType, first: Any, name: str) -> Any:
    place = builder.gep(first, [ir.Constant(ir.IntType(64), WORD * kind.places[name])])
    return builder.bitcast(place, context.get_value_type(kind.number).as_pointer())


@unbox(BundleType)  # type: ignore[untyped-decorator]
def _take(bundle: BundleType, handed: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(handed, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address)
