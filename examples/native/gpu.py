#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs share() of window.komuz on a GPU of NVIDIA, through its driver alone: nothing is to be installed besides.

    komuz build window.komuz --emit=ptx --entry share -o share.ptx
    python3 gpu.py share.ptx
"""
import array
import ctypes
import sys

TRAPS = ["", "OVERFLOW", "DIV_ZERO", "INDEX", "CAPACITY", "RANGE", "DEPTH", "LIMIT", "FUEL", "HOLE", "ASSERT"]

if len(sys.argv) != 2:
    sys.exit(__doc__)
try:
    cuda = ctypes.CDLL("libcuda.so.1")
except OSError as error:
    sys.exit(f"gpu.py: there is no driver of NVIDIA on this machine: {error}")


def call(name, *arguments):
    """A function of the driver; all give 0 where all is well."""
    code = getattr(cuda, name)(*arguments)
    if code != 0:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(code, ctypes.byref(text))
        sys.exit(f"gpu.py: {name}: {(text.value or b'error').decode()} ({code})")


# The first GPU, and the context of this process on it.
call("cuInit", 0)
device, context = ctypes.c_int(), ctypes.c_void_p()
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)

# The driver makes machine code of the text, which ends with a 0.
module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
with open(sys.argv[1], "rb") as ptx:
    call("cuModuleLoadData", ctypes.byref(module), ptx.read() + b"\0")
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"share_kernel")

blocks = []


def allocate(size):
    """Memory of the GPU."""
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
    blocks.append(address)
    return address.value


def to_gpu(values):
    address = allocate(len(values) * values.itemsize)
    call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), values.tobytes(), ctypes.c_size_t(len(values) * values.itemsize))
    return address


def from_gpu(address, code, count):
    values = array.array(code, bytes(count * array.array(code).itemsize))
    call("cuMemcpyDtoH_v2", ctypes.c_void_p(values.buffer_info()[0]), ctypes.c_uint64(address), ctypes.c_size_t(count * values.itemsize))
    return values


# A column for each cell of the arguments: the comment at the top of the PTX lists them. share() gives one cell.
totals, parts = array.array("q", [10, 11, 12, -7]), array.array("q", [2, 0, 5, 2])
count, budget = len(totals), 1_000_000
columns = to_gpu(array.array("Q", [to_gpu(totals), to_gpu(parts)]))
values, fuel = allocate(8 * count), allocate(8 * count)
traps, places, depths = allocate(count), allocate(4 * count), allocate(4 * count)

# The nine parameters of a kernel are 64 bits each; the driver is given their addresses.
given = [ctypes.c_uint64(x) for x in (columns, values, traps, places, depths, fuel, count, count, budget)]
addresses = (ctypes.c_void_p * 9)(*[ctypes.addressof(x) for x in given])
threads = 128
call("cuLaunchKernel", kernel, (count + threads - 1) // threads, 1, 1, threads, 1, 1, 0, None, addresses, None)
# A launch comes back at once. What went wrong on the GPU is said here.
call("cuCtxSynchronize")

for row, (value, trap, ticks) in enumerate(zip(from_gpu(values, "q", count), from_gpu(traps, "B", count), from_gpu(fuel, "Q", count))):
    print(f"share({totals[row]}, {parts[row]}) " + (f"ends with {TRAPS[trap]}" if trap else f"= {value}") + f", {ticks} ticks")

for address in blocks:
    call("cuMemFree_v2", address)
call("cuModuleUnload", module)
call("cuDevicePrimaryCtxRelease_v2", device)
