#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes traces.jsonl: requests to a cache, as a site with pages, pictures and a few large files sees them.

Each line is a trace of 300 requests for 64 objects, with the objects' sizes and the room in the cache. In all of them
few objects are asked for often and most of them rarely; a trace adds something that caches are bad at.

    examples/llm/make_traces.py            # rewrites the file; the same bytes each time
    examples/llm/make_traces.py --check    # fails if it is not what would be written
"""
import json
import random
import sys
from pathlib import Path

SEED = 20254
OBJECTS = 64
REQUESTS = 300
FILE = Path(__file__).resolve().parent / "traces.jsonl"


def below(rng, n):
    return int(rng.random() * n)


def popular(rng, steepness=2.2):
    """An object, the first ones far more often than the last ones."""
    return int(OBJECTS * rng.random() ** steepness)


def steady(rng, now):
    return popular(rng)


def drifting(rng, now):
    """What is popular changes with time."""
    return (popular(rng, 3.0) + now // 20) % OBJECTS


def scanned(rng, now):
    """Now and then somebody reads everything, once."""
    return now % OBJECTS if now // OBJECTS % 3 == 2 else popular(rng)


def looping(rng, now):
    """Every other request walks round a loop that is too long for the cache."""
    return now // 2 % 40 if now % 2 else popular(rng)


def bursting(rng, now):
    """An object is asked for several times at once, and then no more."""
    return now // 6 * 7 % OBJECTS if rng.random() < 0.5 else popular(rng, 3.0)


def shuffled(rng):
    return [at for _, at in sorted((rng.random(), at) for at in range(OBJECTS))]


def make_trace(rng, request):
    sizes = [1 + below(rng, 12) if rng.random() < 0.8 else 20 + below(rng, 60) for _ in range(OBJECTS)]
    names = shuffled(rng)  # so that an object's number says nothing
    requests = [names[request(rng, now)] for now in range(REQUESTS)]
    return {"room": sum(sizes) // 5, "sizes": sizes, "requests": requests}


def main():
    rng = random.Random(SEED)
    kinds = (steady, drifting, scanned, looping, bursting)
    text = "".join(json.dumps(make_trace(rng, kind), separators=(",", ":")) + "\n" for kind in kinds)
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != text:
            sys.exit(f"{FILE} is not what {sys.argv[0]} writes")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        FILE.write_text(text)


if __name__ == "__main__":
    main()
