# SPDX-License-Identifier: Apache-2.0
"""Corpus files (docs/neural.md) as batches: a stream that depends on seeds alone."""
import pathlib
import subprocess
import time

import numpy
import torch

import tensors
from model import BEGIN, PAD, Size

CLASSES = ("simple", "medium", "complex")
SPLITS = ("training", "held-out skeletons", "held-out families", "longer")
NEEDED = ("source", "source_types", "target", "target_types", "mask", "masks", "class", "split")


class Shard:
    """One corpus file."""

    def __init__(self, path):
        self.arrays, metadata = tensors.read(path)
        if metadata.get("komuz.corpus") != "1":
            raise ValueError(f"{path}: this is no corpus of this version; write one by `komuz corpus`")
        for name in NEEDED:
            if name not in self.arrays:
                raise ValueError(f"{path}: this corpus has no `{name}`")
        if len(self.arrays["source"]) == 0:
            raise ValueError(f"{path}: this corpus has no pairs")
        self.path, self.vocabulary = path, metadata["vocabulary"]
        self.has_draws = "advantage" in self.arrays
        self.source_lengths = lengths(self.arrays["source"])
        self.target_lengths = lengths(self.arrays["target"])

    def rows(self, split):
        return numpy.flatnonzero(self.arrays["split"] == split)

    def fits(self, size: Size):
        return (self.source_lengths.max(initial=0) <= size.source) and (self.target_lengths.max(initial=0) <= size.target)

    def batch(self, rows, device):
        """The rows as tensors, as long as the longest of them."""
        longest_source, longest_target = self.source_lengths[rows].max(), self.target_lengths[rows].max()

        def part(name, length):
            return self.arrays[name][rows, :length].astype(numpy.int64)
        target, target_types = part("target", longest_target), part("target_types", longest_target)
        words, types = numpy.full_like(target, BEGIN), numpy.zeros_like(target)
        words[:, 1:], types[:, 1:] = target[:, :-1], target_types[:, :-1]
        valid = target != PAD
        # Only of words that are there: the rows of padding may say anything.
        allowed = self.arrays["masks"][self.arrays["mask"][rows, :longest_target][valid]]
        numbers = {"source": part("source", longest_source), "source_types": part("source_types", longest_source),
                   "words": words, "types": types, "target": target, "valid": valid,
                   "allowed": numpy.unpackbits(allowed, axis=1, bitorder="little").astype(bool),
                   "class": self.arrays["class"][rows].astype(numpy.int64)}
        if self.has_draws:
            numbers["advantage"] = self.arrays["advantage"][rows].astype(numpy.float32)
        return {name: torch.from_numpy(array).to(device, non_blocking=True) for name, array in numbers.items()}


def lengths(words):
    return (words != PAD).sum(axis=1)


class Files:
    """Shards that lie in files; behind the last one comes the first again, in another order."""

    def __init__(self, paths):
        self.shards = [Shard(path) for path in paths]

    def shard(self, number):
        return self.shards[number % len(self.shards)]

    def end(self):
        pass


class Made:
    """Shards that `komuz corpus` makes, each by a seed of its own, so no pair comes twice. While one is learnt, the next is made."""

    def __init__(self, komuz, count, seed, options, folder, makes):
        self.komuz, self.count, self.seed, self.options, self.makes = komuz, count, seed, options, makes
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.running, self.opened = {}, {}

    def path(self, number):
        return self.folder / f"corpus-{self.seed + number}-{self.count}.safetensors"

    def begin(self, number):
        if not self.makes or number in self.running or self.path(number).exists():
            return
        made = f"{self.path(number)}.part"
        command = [self.komuz, "corpus", "--count", str(self.count), "--seed", str(self.seed + number), *self.options, "-o", made]
        self.running[number] = (subprocess.Popen(command, stdout=subprocess.DEVNULL), made)

    def shard(self, number):
        if number not in self.opened:
            self.begin(number)
            if number in self.running:
                process, made = self.running.pop(number)
                if process.wait() != 0:
                    raise ValueError(f"`komuz corpus` failed with {process.returncode}")
                pathlib.Path(made).rename(self.path(number))
            while not self.path(number).exists():  # another process makes it
                time.sleep(0.1)
            # What is mapped stays there until it is let go. The first one has what is held out.
            for old in [old for old in self.opened if old != 0]:
                del self.opened[old]
                if self.makes:
                    self.path(old).unlink(missing_ok=True)
            self.opened[number] = Shard(self.path(number))
        self.begin(number + 1)
        return self.opened[number]

    def end(self):
        for process, made in self.running.values():
            process.terminate()
            process.wait()
            pathlib.Path(made).unlink(missing_ok=True)
        self.running = {}


def batches(data, size, seed, batch, first=0, place=(0, 0)):
    """Without end: (shard, rows, place) of each step from the step `first` on. Rows of a batch are about equally long. A place is the
    number of a shard and its first step; with that of an earlier step, earlier shards are not looked at."""
    number, step = place
    while True:
        place = (number, step)
        shard = data.shard(number)
        if not shard.fits(size):
            raise ValueError(f"{shard.path}: this corpus has programs of more than {size.source} words, or {size.target} in their targets")
        rows = shard.rows(0)
        if len(rows) < batch:
            raise ValueError(f"{shard.path}: this corpus has {len(rows)} pairs to learn from, and a batch has {batch}; ask for a smaller --batch")
        steps = len(rows) // batch
        if step + steps > first:
            random = numpy.random.Generator(numpy.random.PCG64([seed, number]))
            rows = random.permutation(rows)[:steps * batch]
            # Within each 64 batches, by length; the batches in another order.
            for begin in range(0, steps, 64):
                part = rows[begin * batch:(begin + 64) * batch]
                order = numpy.lexsort((shard.source_lengths[part], shard.target_lengths[part]))
                chunks = part[order].reshape(-1, batch)
                for chunk in chunks[random.permutation(len(chunks))]:
                    if step >= first:
                        yield shard, chunk, place
                    step += 1
        else:
            step += steps
        number += 1
