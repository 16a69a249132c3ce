# SPDX-License-Identifier: Apache-2.0
"""Files of tensors (safetensors), read and written with json and numpy alone. neural/safetensors/ is the reader of the executable."""
import json
import pathlib

import numpy

TYPES = {"U8": numpy.uint8, "I32": numpy.int32, "F32": numpy.float32, "BF16": numpy.uint16}
HEADER_LIMIT = 1 << 20


def read(path):
    """(arrays by name, metadata). The arrays are views of the file. BF16 is read as F32, which has all its values."""
    path = pathlib.Path(path)
    raw = numpy.memmap(path, dtype=numpy.uint8, mode="r")
    if len(raw) < 8:
        raise ValueError(f"{path}: this is no file of tensors: it has {len(raw)} bytes")
    length = int.from_bytes(raw[:8].tobytes(), "little")
    if length > min(HEADER_LIMIT, len(raw) - 8):
        raise ValueError(f"{path}: this is no file of tensors: its header would have {length} bytes")
    try:
        return read_parts(path, raw, length)
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"{path}: this is no sound file of tensors: {fault!r} in its header") from fault


def read_parts(path, raw, length):
    header = json.loads(raw[8:8 + length].tobytes())
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, row in header.items():
        begin, end = row["data_offsets"]
        kind = TYPES[row["dtype"]]
        count = 1
        for size in row["shape"]:
            count *= size
        if not 0 <= begin <= end <= len(raw) - 8 - length or count * kind().itemsize != end - begin:
            raise ValueError(f"{path}: the tensor {name} does not fit into the file")
        array = raw[8 + length + begin:8 + length + end].view(kind).reshape(row["shape"])
        arrays[name] = widened(array) if row["dtype"] == "BF16" else array
    return arrays, metadata


def write(path, arrays, metadata, narrow=()):
    """Writes the arrays in the order of their names; those of `narrow`, which are F32, as BF16."""
    header, offset, parts = {"__metadata__": metadata}, 0, []
    for name in sorted(arrays):
        array = numpy.ascontiguousarray(arrays[name])
        kind = next(kind for kind, numbers in TYPES.items() if array.dtype == numbers)
        shape = list(array.shape)
        if name in narrow:
            array, kind = narrowed(array), "BF16"
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
        parts.append(array.tobytes())
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    made = pathlib.Path(f"{path}.part")
    made.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))
    made.replace(path)


def narrowed(array):
    """F32 as BF16: to the nearest, ties to even. There is no NaN among weights."""
    bits = array.view(numpy.uint32).astype(numpy.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def widened(array):
    return (array.astype(numpy.uint32) << 16).view(numpy.float32)
