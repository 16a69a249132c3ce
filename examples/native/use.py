#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls functions of window.komuz through ctypes, without anything to install.

    komuz build window.komuz --emit=obj -o window.o --header window.h
    cc -shared window.o -o libwindow.so
    python3 use.py ./libwindow.so
"""
import ctypes
import sys


class Spread(ctypes.Structure):
    _fields_ = [("low", ctypes.c_double), ("high", ctypes.c_double)]


library = ctypes.CDLL(sys.argv[1])
Window = ctypes.c_double * 8
rms = ctypes.c_double()
spread = Spread()
window = Window(-1, 2, 0.5, 0, 0, 0, 7, 1)
assert library.rms(window, ctypes.byref(rms), None) == 0
assert library.spread(window, ctypes.byref(spread), None) == 0
print(f"rms {rms.value!r}, from {spread.low} to {spread.high}")

share = ctypes.c_int64()
trap = library.share(ctypes.c_int64(7), ctypes.c_int64(0), ctypes.byref(share), None)
print(f"share(7, 0) ends with trap {trap}")
