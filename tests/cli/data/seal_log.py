#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the checksums of a log's lines anew, standard input to standard output: a log that was changed, but is not damaged."""
import re
import sys
import zlib

SEAL = re.compile(rb', "crc32": "[0-9a-f]{8}"}$')

first = 0
for number, line in enumerate(sys.stdin.buffer.read().splitlines(), 1):
    body = SEAL.sub(b"", line)
    begin = 0 if number == 1 else (first + number) % 2**32
    checksum = zlib.crc32(body, begin)
    first = checksum if number == 1 else first
    sys.stdout.buffer.write(b'%s, "crc32": "%08x"}\n' % (body, checksum))
