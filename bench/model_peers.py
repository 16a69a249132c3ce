#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The small model in PyTorch and in neural/model/, on the same core: encoder and 48 words of k targets for one source of 40 words.

    taskset -c 0 bench/model_peers.py build/release/bin/model_bench [k…]

PyTorch keeps keys and values of what is behind it, and has room for them from the start, as neural/model/ does. It takes the best of ten
runs; model_bench its mean. Both have f32 weights and one thread.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "neural/train"))

from arguments import check_file, count, need_torch  # noqa: E402


def given_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", help="the executable model_bench")
    parser.add_argument("counts", nargs="*", type=count, metavar="K", help="targets at a time (1 16 1000)")
    given = parser.parse_args()
    check_file(parser, "the benchmark", given.bench)
    return given


GIVEN = given_arguments()
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
if "avx512bw" in pathlib.Path("/proc/cpuinfo").read_text():
    os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx512")
    # OpenBLAS 0.3.21 takes processors that came after it for very old ones.
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")

need_torch()
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

from model import SIZES, TYPES, WORDS, Model, normed  # noqa: E402

SOURCE, STEPS = 40, 48


@torch.no_grad()
def decode(model, source, types, words, word_types):
    """The logits behind 48 words of each of the targets."""
    size, rows = model.size, len(words)
    nowhere = torch.zeros(1, 1, 1, SOURCE, dtype=torch.bool)
    x = model.source(source, types)
    for layer in model.encoder:
        x = layer(x, nowhere)
    encoded = normed(x, model.encoder_norm)
    width = size.d // size.heads
    sides = [[part.view(1, SOURCE, size.heads, width).transpose(1, 2).expand(rows, -1, -1, -1)
              for part in F.linear(encoded, layer.cross_key_value).chunk(2, -1)] for layer in model.decoder]
    keys = [torch.zeros(rows, size.heads, STEPS, width) for _ in model.decoder]
    values = [torch.zeros(rows, size.heads, STEPS, width) for _ in model.decoder]

    def look(query, key, value):
        query = query.view(rows, 1, size.heads, width).transpose(1, 2)
        weights = (query @ key.transpose(2, 3) * width ** -0.5).softmax(-1)
        return (weights @ value).transpose(1, 2).reshape(rows, size.d)

    for step in range(STEPS):
        x = F.embedding(words, model.target.words) + F.embedding(word_types, model.target.types) + model.target.places[step]
        for i, layer in enumerate(model.decoder):
            query, key, value = F.linear(normed(x, layer.self_norm), layer.self_query_key_value).chunk(3, -1)
            keys[i][:, :, step] = key.view(rows, size.heads, width)
            values[i][:, :, step] = value.view(rows, size.heads, width)
            x = x + F.linear(look(query, keys[i][:, :, :step + 1], values[i][:, :, :step + 1]), layer.self_out)
            query = F.linear(normed(x, layer.cross_norm), layer.cross_query)
            x = x + F.linear(look(query, *sides[i]), layer.cross_out)
            x = x + F.linear(F.relu(F.linear(normed(x, layer.feed_norm), layer.up)), layer.down)
        logits = model.logits(normed(x, model.decoder_norm))
    return logits


@torch.no_grad()
def check(model, source, types, words, word_types):
    """What is measured is the model."""
    whole = model(source.expand(len(words), -1), types.expand(len(words), -1),
                  words[:, None].expand(-1, STEPS), word_types[:, None].expand(-1, STEPS))
    difference = float((model.logits(whole[:, -1]) - decode(model, source, types, words, word_types)).abs().max())
    if difference > 1e-4:
        sys.exit(f"the loop with a memory differs from the model by {difference}")


def main():
    bench, counts = GIVEN.bench, GIVEN.counts or [1, 16, 1000]
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = Model(SIZES["small"])
    source, types = torch.randint(0, WORDS, (1, SOURCE)).clamp(min=1), torch.randint(0, TYPES, (1, SOURCE))
    rows = json.loads(subprocess.run([bench, "--benchmark_filter=prefixes", "--benchmark_format=json"], capture_output=True, text=True,
                                     check=True).stdout)["benchmarks"]
    ours = {int(row["name"].split("/")[1]): row["cpu_time"] for row in rows}
    print("| k | PyTorch " + torch.__version__ + ", ms | neural/model/, ms | times as fast |\n| --- | --- | --- | --- |")
    for k in counts:
        words, word_types = torch.randint(1, WORDS, (k,)), torch.randint(0, TYPES, (k,))
        if k <= 16:
            check(model, source, types, words, word_types)
        best = float("inf")
        for _ in range(10 if k <= 100 else 2):
            begun = time.process_time()
            decode(model, source, types, words, word_types)
            best = min(best, 1000 * (time.process_time() - begun))
        print(f"| {k} | {best:.1f} | {ours[k]:.1f} | {best / ours[k]:.1f} |")


if __name__ == "__main__":
    main()
