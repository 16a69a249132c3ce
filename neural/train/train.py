#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a model (docs/neural.md), with Debian's python3-torch as with torch 2:

    neural/train/train.py --komuz build/release/bin/komuz --minutes 40 -o small.safetensors    pairs of `komuz corpus`, fresh ones all the time
    neural/train/train.py corpus.safetensors… --steps 2000 -o small.safetensors                pairs of files
    neural/train/train.py corpus.safetensors --from small.safetensors --steps 200 -o better.safetensors   begins with a model that there is
    neural/train/train.py … --resume                                                           goes on where a run of the same -o was ended;
                                                                                               with other --steps the rate follows these
    neural/train/train.py corpus.safetensors --judge small.safetensors                         held-out figures of a model
    neural/train/train.py corpus.safetensors --dump-of small.safetensors --dump logits.safetensors   logits that neural/model/ is compared with

With --minutes it measures for a twentieth of the time, a minute at most, and then says how many steps there will be. That number is in the
model's metadata: the same with --steps gives the same bytes, on the same kind of machine with the same torch.
"""
import argparse
import contextlib
import copy
import ctypes
import json
import math
import os
import pathlib
import signal
import sys
import tempfile
import time

from arguments import amount, check_checkpoint, check_folder, count, need_torch
from sizes import SIZES


def given_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help="files that `komuz corpus` wrote")
    parser.add_argument("--komuz", help="the executable, which makes the pairs if no files are given")
    parser.add_argument("--count", type=count, default=200_000, help="pairs of each call of `komuz corpus` (200000)")
    parser.add_argument("--corpus-options", default="", help="further options for it, in one word")
    parser.add_argument("--size", choices=sorted(SIZES), default="small")
    parser.add_argument("--minutes", type=amount, help="how long to train")
    parser.add_argument("--steps", type=count, help="how long to train, in steps")
    parser.add_argument("--batch", type=count, default=128, help="pairs of a step, of all processes together (128)")
    parser.add_argument("--rate", type=amount, default=2e-3, help="the largest rate of learning (0.002)")
    parser.add_argument("--warm-up", type=count, default=200, help="steps until that rate (200)")
    parser.add_argument("--from", dest="begin", metavar="MODEL", help="begin with the weights of this model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=count, default=1, help="on a CPU: that many, each with --threads")
    parser.add_argument("--threads", type=count, default=1, help="on a CPU (1)")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--store", choices=("bf16", "f32"), default="bf16", help="how weights are stored (bf16)")
    parser.add_argument("--products", choices=("auto", "bf16", "f32"), default="auto",
                        help="numbers of the products while it learns; auto: BF16 on GPUs and on processors with AMX")
    parser.add_argument("--held-out-rows", type=count, default=2000, help="that many of each split are judged (2000)")
    parser.add_argument("--resume", action="store_true", help="from the checkpoint beside -o")
    parser.add_argument("--end-at", type=count, help="ends at that step with a checkpoint, for --resume to go on from")
    parser.add_argument("-o", "--out", help="the model file")
    parser.add_argument("--judge", metavar="MODEL", help="only says the held-out figures of a model")
    parser.add_argument("--dump-of", metavar="MODEL", help="the model whose logits are dumped; else the trained one")
    parser.add_argument("--dump", metavar="FILE", help="logits of a few held-out pairs")
    parser.add_argument("--dump-rows", type=count, default=4)
    given = parser.parse_args()
    if not given.corpora and not given.komuz:
        parser.error("name corpus files, or the executable by --komuz")
    if bool(given.judge or given.dump_of) == bool(given.out):
        parser.error("say -o MODEL to train, or --judge MODEL or --dump-of MODEL not to")
    if given.out and (given.minutes is None) == (given.steps is None):
        parser.error("say how long to train: either --minutes or --steps")
    if given.batch % given.processes:
        parser.error("--batch has to be a multiple of --processes")
    if given.out:
        check_folder(parser, "-o", given.out)
    if given.resume and given.out:
        check_checkpoint(parser, checkpoint_of(given))
    return given


def work_folder(given):
    return pathlib.Path(f"{given.out}.work")


def checkpoint_of(given):
    return work_folder(given) / "checkpoint"


# A process of several gets what the first one has read.
GIVEN = given_arguments() if __name__ == "__main__" else None

# Before torch is there: as many threads as asked for, and wide registers, which torch 1.13 leaves alone by itself.
if "--threads" in sys.argv:
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = sys.argv[sys.argv.index("--threads") + 1]
PROCESSOR = ""
with contextlib.suppress(OSError):
    PROCESSOR = pathlib.Path("/proc/cpuinfo").read_text()
if "avx512bw" in PROCESSOR:
    os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx512")
    # OpenBLAS takes processors that came after it for very old ones.
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
# Memory that one step gives back is what the next one takes: without this each page is fetched anew from the system.
with contextlib.suppress(OSError, AttributeError):
    for limit in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
        ctypes.CDLL(None).mallopt(limit, 1 << 30)

need_torch()
import torch  # noqa: E402
import torch.distributed  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import corpus  # noqa: E402
import tensors  # noqa: E402
from model import PAD, TYPES, WORDS, Model, Size  # noqa: E402

NARROW_FROM = 2  # dimensions: matrices and tables are stored as BF16, norms as F32
EMA = 0.999
PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


def say(text):
    print(text, file=sys.stderr, flush=True)


# Learning.

def rate_at(step, steps, given):
    """Linear to the largest rate, which stays until a tenth of all steps, then half a cosine to a fiftieth of it. While it is measured how
    many steps there will be, `steps` is None: the first tenth does not depend on it."""
    rate = given.rate * min(1.0, (step + 1) / given.warm_up)
    if steps is None or step < steps // 10:
        return rate
    through = (step - steps // 10) / max(1, steps - steps // 10)
    return rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * through)))


def sum_of_losses(model, batch):
    """The cross-entropy of all words of the targets under the mask: words that may not come have no share. Also their scores. The words of draws
    (komuz corpus --draws) count as much as the advantage of their draw: that makes it the policy gradient (REINFORCE)."""
    x = model(batch["source"], batch["source_types"], batch["words"], batch["types"])
    scores = model.logits(x[batch["valid"]]).float().masked_fill(~batch["allowed"], float("-inf"))
    target = batch["target"][batch["valid"]]
    if "advantage" not in batch:
        return F.cross_entropy(scores, target, reduction="sum"), scores
    weights = batch["advantage"][:, None].expand_as(batch["valid"])[batch["valid"]]
    return (weights * F.cross_entropy(scores, target, reduction="none")).sum(), scores


class Learner:
    """A model, its optimiser, and the mean of its last weights, which is what is kept in the end."""

    def __init__(self, size, given, device, rank):
        torch.manual_seed(given.seed)
        self.model = Model(size)
        if given.begin:
            self.model.load_state_dict(read_model(given.begin, "cpu")[0].state_dict())
        self.model.to(device).learn_narrow(given.products == "bf16")
        self.mean = copy.deepcopy(self.model).requires_grad_(False)
        matrices = [p for name, p in self.model.named_parameters() if p.dim() > 1 and not name.startswith(("source.", "target."))]
        others = [p for p in self.model.parameters() if not any(p is m for m in matrices)]
        self.optimiser = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.02}, {"params": others, "weight_decay": 0.0}],
                                           lr=given.rate, betas=(0.9, 0.98), eps=1e-9, foreach=True)
        self.given, self.device, self.rank = given, device, rank
        self.step, self.steps, self.seconds, self.place = 0, given.steps, 0.0, (0, 0)
        self.resized = []  # (step, how many there were to be until then)
        self.losses, self.course = [], []  # of the last steps; (step, mean loss of a word) of each 50 steps

    def learn(self, shard, rows):
        """One step; the loss of a word, as a tensor."""
        batch = shard.batch(rows[self.rank::self.given.processes], self.device)
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.step, self.steps, self.given)
        loss, scores = sum_of_losses(self.model, batch)
        parameters = list(self.model.parameters())
        gradients = torch.autograd.grad(loss, parameters)
        # What all processes have: gradients, the loss, and how many words there were.
        flat = torch.cat([g.flatten() for g in gradients] + [loss.detach().flatten(), loss.new_tensor([float(len(scores))])])
        if self.given.processes > 1:
            torch.distributed.all_reduce(flat)
        flat, words = flat[:-1] / flat[-1], flat[-1]
        del words
        norm = flat[:-1].norm()
        # Words without a finite loss are words that the mask of the corpus does not allow.
        if not bool(torch.isfinite(norm)):
            raise ValueError(f"step {self.step}: the loss is not finite; is a target's word missing in its mask?")
        flat_gradients = flat[:-1] * (1.0 / norm.clamp(min=1.0))
        at = 0
        for parameter in parameters:
            parameter.grad = flat_gradients[at:at + parameter.numel()].view_as(parameter)
            at += parameter.numel()
        self.optimiser.step()
        self.step += 1
        keep = min(EMA, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_mul_(list(self.mean.parameters()), keep)
            torch._foreach_add_(list(self.mean.parameters()), parameters, alpha=1 - keep)
        return flat[-1]

    def save(self, path):
        """Tensors, whole numbers and text alone: what is loaded runs nothing."""
        part = f"{path}.part"
        moments = [[state["step"], state["exp_avg"], state["exp_avg_sq"]] for state in self.states()]
        torch.save({"model": self.model.state_dict(), "mean": self.mean.state_dict(), "moments": moments,
                    "step": self.step, "steps": self.steps or 0, "milliseconds": int(1000 * self.seconds), "place": list(self.place),
                    "resized": self.resized,
                    "losses": torch.stack(self.losses) if self.losses else torch.zeros(0),
                    "course": torch.tensor(self.course, dtype=torch.float64), "run": run_of(self.given)}, part)
        os.replace(part, path)

    def states(self):
        return [self.optimiser.state[p] for group in self.optimiser.param_groups for p in group["params"]]

    def load(self, path):
        kept = torch.load(path, map_location=self.device, weights_only=True)
        if kept["run"] != run_of(self.given):
            raise ValueError(f"{path}: this is a checkpoint of another run ({kept['run']}); leave out --resume to begin anew")
        self.model.load_state_dict(kept["model"])
        self.mean.load_state_dict(kept["mean"])
        for state, (step, mean, square) in zip(self.states(), kept["moments"]):
            state["step"], state["exp_avg"], state["exp_avg_sq"] = step, mean, square
        self.step, self.seconds, self.place = kept["step"], kept["milliseconds"] / 1000, tuple(kept["place"])
        self.steps, self.resized = kept["steps"] or None, kept.get("resized", [])
        if self.given.steps and self.given.steps != self.steps:
            self.resized = [*self.resized, [self.step, self.steps or 0]]
            self.steps = self.given.steps
        self.losses, self.course = list(kept["losses"]), [(int(step), loss) for step, loss in kept["course"].tolist()]


def run_of(given):
    """What the weights depend on, as text."""
    return json.dumps({name: getattr(given, name) for name in
                       ("size", "batch", "rate", "warm_up", "seed", "processes", "threads", "products", "corpora", "count", "corpus_options", "begin")})


def train(given, size, device, rank):
    makes = rank == 0
    folder = work_folder(given)
    data = (corpus.Files(given.corpora) if given.corpora else
            corpus.Made(given.komuz, given.count, given.seed * 1_000_000, given.corpus_options.split(), folder, makes))
    try:
        learner = Learner(size, given, device, rank)
        folder.mkdir(parents=True, exist_ok=True)
        checkpoint = checkpoint_of(given)
        if given.resume:
            learner.load(checkpoint)
        learn_all(given, learner, data, size, checkpoint)
        return learner, data.shard(0)
    finally:
        data.end()


def learn_all(given, learner, data, size, checkpoint):
    rank, begun, spent = learner.rank, time.monotonic(), learner.seconds
    data.shard(0)  # what is waited for before the first step is no training
    started = saved = time.monotonic()
    measured_from = learner.step
    measure_for = min(60.0, 3.0 * given.minutes) if given.minutes else 0
    for shard, rows, place in corpus.batches(data, size, given.seed, given.batch, learner.step, learner.place):
        learner.place = place
        if learner.steps is not None and learner.step >= learner.steps:
            break
        learner.losses.append(learner.learn(shard, rows))
        now = time.monotonic()
        learner.seconds = spent + now - started
        if learner.steps is None:
            steps = torch.tensor([0.0])
            if rank == 0 and now - started >= measure_for:
                done = learner.step - measured_from
                steps[0] = max(learner.step + 1, int(done * (given.minutes * 60 - spent) / (now - started)))
            if given.processes > 1:
                torch.distributed.broadcast(steps, 0)
            if steps[0] > 0:
                learner.steps = int(steps[0])
                if rank == 0:
                    say(f"{(learner.step - measured_from) * given.batch / (now - started):.0f} pairs a second: {learner.steps} steps")
        if len(learner.losses) == 50 or learner.step == learner.steps:
            learner.course.append((learner.step, float(torch.stack(learner.losses).mean())))
            learner.losses = []
            if rank == 0 and len(learner.course) % 10 == 1:
                say(f"step {learner.step} of {learner.steps or '?'}: loss {learner.course[-1][1]:.4f} a word, {learner.seconds:.0f} s")
        if rank == 0 and now - saved >= 60:
            learner.save(checkpoint)
            saved = now
        if learner.step == given.end_at:
            break
    if rank == 0:
        learner.save(checkpoint)
        say(f"{learner.step} steps in {learner.seconds:.0f} s, {time.monotonic() - begun:.0f} s with waiting for pairs")


# What a model is worth.

@torch.no_grad()
def judge(model, shard, device, most):
    """Held-out figures: of each split the loss of a word, and the share of pairs of which each word is the most probable one behind those
    before it, which is what greedy decoding writes."""
    figures = {}
    for split, name in enumerate(corpus.SPLITS):
        rows = shard.rows(split)[:most]
        if split == 0 or len(rows) == 0:
            continue
        loss = words = right_words = 0
        whole, counts = [0] * 3, [0] * 3
        rows = rows[(shard.source_lengths[rows] <= model.size.source) & (shard.target_lengths[rows] <= model.size.target)]
        order = rows[shard.target_lengths[rows].argsort(kind="stable")]
        for begin in range(0, len(order), 128):
            batch = shard.batch(order[begin:begin + 128], device)
            part, scores = sum_of_losses(model, batch)
            right = scores.argmax(-1) == batch["target"][batch["valid"]]
            loss, words, right_words = loss + float(part), words + len(right), right_words + int(right.sum())
            all_right = torch.ones_like(batch["valid"])
            all_right[batch["valid"]] = right
            for kind in range(3):
                of_kind = batch["class"] == kind
                counts[kind] += int(of_kind.sum())
                whole[kind] += int(all_right.all(1)[of_kind].sum())
        figures[name] = {"pairs": len(order), "loss": round(loss / words, 4), "words right": round(right_words / words, 4),
                         "targets right": {corpus.CLASSES[kind]: [whole[kind], counts[kind]] for kind in range(3) if counts[kind]}}
    return figures


def thinned(course):
    """About 50 of the losses, and the last one."""
    every = max(1, len(course) // 50)
    return [[step, round(loss, 4)] for step, loss in course[::-1][::every][::-1]]


# Model files.

def write_model(path, model, vocabulary, about, store):
    arrays = {name: tensor.detach().float().cpu().numpy() for name, tensor in model.state_dict().items()}
    narrow = [name for name, array in arrays.items() if array.ndim >= NARROW_FROM] if store == "bf16" else []
    size = model.size
    metadata = {"komuz.model": "1", "vocabulary": vocabulary, "words": WORDS, "types": TYPES, "d": size.d, "heads": size.heads, "ff": size.ff,
                "encoder_layers": size.encoder_layers, "decoder_layers": size.decoder_layers, "source": size.source, "target": size.target,
                **about}
    tensors.write(path, arrays, {name: value if isinstance(value, str) else json.dumps(value) for name, value in metadata.items()}, narrow)


def as_json(text):
    """What write_model() made of a value."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def read_model(path, device):
    arrays, metadata = tensors.read(path)
    if metadata.get("komuz.model") != "1":
        raise ValueError(f"{path}: this is no model of this version")
    model = Model(Size(**{name: int(metadata[name]) for name in
                          ("d", "heads", "ff", "encoder_layers", "decoder_layers", "source", "target")}))
    model.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()})
    return model.to(device).requires_grad_(False), metadata


@torch.no_grad()
def dump(path, model, shard, rows, vocabulary):
    """Logits without a mask, behind each word of a few targets."""
    batch = shard.batch(rows, torch.device("cpu"))
    logits = model.cpu().logits(model(batch["source"], batch["source_types"], batch["words"], batch["types"]))
    arrays = {name: batch[name].to(torch.uint8).numpy() for name in ("source", "source_types", "words", "types")}
    tensors.write(path, {**arrays, "logits": logits.numpy()}, {"komuz.dump": "1", "vocabulary": vocabulary})


def dumped_rows(shard, size, count):
    """The first held-out pairs, or pairs at all, that fit."""
    rows = [row for split in (1, 0) for row in shard.rows(split)
            if shard.source_lengths[row] <= size.source and shard.target_lengths[row] <= size.target]
    return rows[:count]


def worker(given, rank, meeting):
    """A process of several. What is wrong is a sentence of the first one."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # none goes on where the run was ended
    try:
        work(given, rank, meeting)
    except (ValueError, OSError, RuntimeError) as problem:
        sys.exit(str(problem) if rank == 0 else 1)


def work(given, rank, meeting):
    torch.set_num_threads(given.threads)
    device = torch.device("cuda" if given.device != "cpu" and torch.cuda.is_available() else "cpu")
    if given.device == "cuda" and device.type != "cuda":
        sys.exit("there is no GPU that torch can use")
    if given.products == "auto":
        given.products = "bf16" if device.type == "cuda" or "amx_bf16" in PROCESSOR else "f32"
    if given.judge or given.dump_of:
        model, metadata = read_model(given.judge or given.dump_of, device)
        shard = corpus.Shard(given.corpora[0])
        if shard.vocabulary != metadata["vocabulary"]:
            sys.exit(f"the model knows another vocabulary ({metadata['vocabulary']}) than the corpus ({shard.vocabulary})")
        if given.judge:
            print(json.dumps(judge(model, shard, device, given.held_out_rows), indent=1))
        if given.dump:
            dump(given.dump, model, shard, dumped_rows(shard, model.size, given.dump_rows), metadata["vocabulary"])
        return
    if given.processes > 1:
        torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=given.processes)
    size = read_model(given.begin, "cpu")[0].size if given.begin else SIZES[given.size]
    learner, shard = train(given, size, device, rank)
    if rank != 0 or learner.step == given.end_at:
        return
    about = {"seed": given.seed, "steps": learner.step, "batch": given.batch, "pairs": learner.step * given.batch,
             "processes": given.processes, "rate": given.rate, "warm_up": given.warm_up, "products": given.products, "torch": torch.__version__,
             "loss": thinned(learner.course)}
    if shard.has_draws:
        about["learnt"] = "draws"
    if given.begin:
        earlier = read_model(given.begin, "cpu")[1]
        about["from"] = {name: as_json(earlier[name]) for name in ("seed", "steps", "pairs", "rate", "resized", "learnt", "from") if name in earlier}
    if learner.resized:
        about["resized"] = learner.resized
    # What is judged is what is stored: the file is read back.
    write_model(given.out, learner.mean, shard.vocabulary, about, given.store)
    if shard.has_draws:  # which are no targets to be judged by
        return
    model, _ = read_model(given.out, device)
    figures = judge(model, shard, device, given.held_out_rows)
    write_model(given.out, model, shard.vocabulary, {**about, "held_out": figures}, given.store)
    say(json.dumps(figures, indent=1))
    if given.dump:
        dump(given.dump, model, shard, dumped_rows(shard, size, given.dump_rows), shard.vocabulary)


def main():
    given = GIVEN
    try:
        if given.processes == 1:
            work(given, 0, None)
            return
        with tempfile.TemporaryDirectory() as folder:
            arguments = [(given, rank, f"{folder}/meeting") for rank in range(given.processes)]
            context = torch.multiprocessing.get_context("spawn")
            running = [context.Process(target=worker, args=each) for each in arguments]
            for process in running:
                process.start()
            # Where one fails, none waits for it.
            while any(process.is_alive() for process in running):
                if any(process.exitcode not in (None, 0) for process in running):
                    for process in running:
                        process.terminate()
                time.sleep(0.2)
            if any(process.exitcode for process in running):
                sys.exit(1)
    except (ValueError, OSError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
