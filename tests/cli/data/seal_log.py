#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the checksums of a log's lines anew, standard input to standard output: a log that was changed, but is not damaged."""
import re
import sys
import zlib

SEAL = re.compile(rb', "crc32": "[0-9a-f]{8}"}$')

for line in sys.stdin.buffer.read().splitlines():
    body = SEAL.sub(b"", line)
    sys.stdout.buffer.write(b'%s, "crc32": "%08x"}\n' % (body, zlib.crc32(body)))
