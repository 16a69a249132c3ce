#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the scripts of `komuz shards` do what they say? Stand-ins for Slurm's commands note what they are asked, and run it at once.

    check_scripts.py KOMUZ
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
POOL = os.path.join(SOURCE, "examples", "regression", "candidates.jsonl")
CASES = os.path.join(SOURCE, "examples", "regression", "cases.csv")
EVAL = [POOL, "--cases", CASES, "--score", "squared"]

# A job ends before sbatch says its number, but for tasks that FAKE_LOST names.
SBATCH = r'''#!/usr/bin/env python3
import json, os, re, subprocess, sys
home = os.environ["FAKE_HOME"]
options = [word for word in sys.argv[1:] if word.startswith("--")]
script, *words = [word for word in sys.argv[1:] if not word.startswith("--")]
known = open(home + "/calls").read().splitlines()
if str(len(known)) == os.environ.get("FAKE_REFUSES"):
    sys.exit("sbatch: error: Batch job submission failed: too many jobs")
with open(home + "/calls", "a") as out:
    out.write(json.dumps([options, script, words]) + "\n")
job = str(100 + len(known))
values = dict(option[2:].split("=", 1) for option in options if "=" in option)
tasks = [None]
if "array" in values:
    tasks = []
    for piece in values["array"].split("%")[0].split(","):
        first, _, last = piece.partition("-")
        tasks += range(int(first), int(last or first) + 1)
failed = open(home + "/failed").read().split()
is_blocked = any(one in failed for one in values.get("dependency", "").split(":"))
for task in tasks if not is_blocked else []:
    name = values["output"].replace("%%", "\0").replace("%A", job).replace("%a", str(task)).replace("\0", "%")
    if task is not None and str(int(words[0]) + task) in os.environ.get("FAKE_LOST", "").split():
        code = 1
    else:
        environment = dict(os.environ, SLURM_CPUS_ON_NODE="1", **({} if task is None else {"SLURM_ARRAY_TASK_ID": str(task)}))
        code = subprocess.call(["/bin/sh", script, *words], stdout=open(name, "w"), stderr=subprocess.STDOUT, env=environment)
    if code:
        open(home + "/failed", "a").write(job + "\n")
print(job + (";east" if os.environ.get("FAKE_CLUSTER") else ""))
'''
SQUEUE = r'''#!/bin/sh
[ "$*" = "--noheader --format=%F" ] || exit 2
[ ! -e "$FAKE_HOME/squeue_fails" ] || exit 1
cat "$FAKE_HOME/queue"
'''
SCONTROL = '#!/bin/sh\necho "MaxArraySize            = ${FAKE_ARRAY:-1001}"\n'


class Fake:
    def __init__(self, folder):
        self.home = folder
        os.makedirs(os.path.join(folder, "bin"))
        for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE), ("scontrol", SCONTROL)):
            path = os.path.join(folder, "bin", name)
            with open(path, "w") as out:
                out.write(text)
            os.chmod(path, 0o755)
        self.set("queue", "")
        self.forget()

    def set(self, name, text):
        with open(os.path.join(self.home, name), "w") as out:
            out.write(text)

    def forget(self):
        self.set("calls", "")
        self.set("failed", "")

    def calls(self):
        return [json.loads(line) for line in open(os.path.join(self.home, "calls"))]

    def arrays(self):
        """The tasks of each array, and the number that its parts stand behind."""
        return [(next(o for o in options if o.startswith("--array="))[8:], *words)
                for options, script, words in self.calls() if script == "shard.sbatch"]

    def submit(self, folder, code=0, **variables):
        path = os.path.join(self.home, "bin") + ":" + os.environ["PATH"]
        done = subprocess.run([os.path.join(folder, "submit")], capture_output=True, text=True, cwd="/", timeout=120,
                              env=dict(os.environ, PATH=path, FAKE_HOME=self.home, **variables))
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert not os.path.exists(os.path.join(folder, "submitting"))
        return done.stdout + done.stderr


def komuz(*words, cwd, code=0):
    done = subprocess.run([KOMUZ, *words], capture_output=True, text=True, cwd=cwd, timeout=300)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def read(*path):
    return open(os.path.join(*path), "rb").read()


def check_shell(folder):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            continue
        for checker in (["sh", "-n"], ["dash", "-n"], ["shellcheck", "--shell=sh", "--severity=warning"]):
            if shutil.which(checker[0]):
                done = subprocess.run([*checker, path], capture_output=True, text=True)
                assert done.returncode == 0, (checker, path, done.stdout, done.stderr)


def check_submit(place):
    fake = Fake(os.path.join(place, "fake"))
    folder = os.path.join(place, 'it\'s "a" run, 5% $HOME `x`')
    shards = ["shards", "--of", "9", "--slurm", folder, "--at-once", "2", "--account", 'my "own" # one', "--time", "1:00:00",
              "--cpus-per-task", "3", "--sbatch=--qos=long", "--", "eval", *EVAL, "--json", "parts.json", "--best", "best.py",
              "--plot", "parts.svg", "--top", "2"]
    komuz(*shards, cwd=place)
    table = komuz("eval", *EVAL, "--json", "whole.json", "--best", "whole.py", "--plot", "whole.svg", "--top", "2", cwd=place)
    check_shell(folder)
    lines = read(folder, "shard.sbatch").decode().splitlines()
    for line in ("--array=1-9%2", "--requeue", '--account="my \\"own\\" # one"', "--time=1:00:00", "--cpus-per-task=3", "--qos=long"):
        assert "#SBATCH " + line in lines, (line, lines)
    assert "#SBATCH --cpus-per-task=3" not in read(folder, "merge.sbatch").decode()

    # Parts 2, 5, 6 and 9 are lost. Arrays have four tasks.
    said = fake.submit(folder, FAKE_ARRAY="5", FAKE_LOST="2 5 6 9", FAKE_CLUSTER="1")
    assert fake.arrays() == [("1-4%2", "0"), ("1-4%2", "4"), ("1%2", "8")], fake.arrays()
    assert fake.calls()[-1][0][2:] == ["--dependency=afterok:100:101:102", "--kill-on-invalid-dep=yes"], fake.calls()
    assert said.splitlines()[:4] == ["job 100: 4 parts", "job 101: 4 parts", "job 102: 1 part",
                                     "job 103: the merge, once 9 of 9 parts have come to their end"], said
    assert not os.path.exists(os.path.join(place, "parts.json"))

    # The run is going on, or nobody knows.
    fake.forget()
    fake.set("queue", "7\n101\n")
    assert "still going on, as job 101; wait for it, or cancel it: scancel 101\n" in fake.submit(folder, code=1)
    fake.set("squeue_fails", "")
    assert "squeue does not say which jobs there are" in fake.submit(folder, code=1)
    os.remove(os.path.join(fake.home, "squeue_fails"))
    fake.set("queue", "7\n1010\n")
    # The second array is refused.
    assert "sbatch did not take an array" in fake.submit(folder, code=1, FAKE_ARRAY="5", FAKE_REFUSES="1")
    assert fake.arrays() == [("2%2", "0")], fake.arrays()
    # A log without its last byte has not come to its end.
    log = os.path.join(folder, "logs", "shard-4.jsonl")
    os.truncate(log, os.path.getsize(log) - 1)
    fake.forget()
    said = fake.submit(folder)
    assert fake.arrays() == [("4-6,9%2", "0")], fake.arrays()
    assert "once 4 of 9 parts" in said, said
    assert read(folder, "merge.txt").decode() == table
    for one, other in (("parts.json", "whole.json"), ("best.py", "whole.py"), ("parts.svg", "whole.svg")):
        assert read(place, one) == read(place, other), one
    fake.forget()
    assert "all 9 parts have come to their end" in fake.submit(folder)
    assert fake.arrays() == [] and len(fake.calls()[0][0]) == 2, fake.calls()

    # The same command line may have other options of sbatch; another one has another folder.
    komuz(*shards[:4], folder, "--time", "2:00:00", *shards[shards.index("--"):], cwd=place)
    assert "#SBATCH --time=2:00:00" in read(folder, "shard.sbatch").decode()
    assert "another command line" in komuz("shards", "--of", "9", "--slurm", folder, "--", "eval", *EVAL[:-1], "absolute", cwd=place,
                                           code=3)


def check_local(place):
    folder = os.path.join(place, "here and now")
    words = [*EVAL, "--case-scores", "--programs", "20", "--worst", "2", "--top", "1"]
    komuz("shards", "--of", "5", "--local", folder, "--", "eval", *words, "--json", "local.json", cwd=place)
    komuz("eval", *words, "--json", "whole.json", cwd=place)
    check_shell(folder)
    run = lambda: subprocess.run([os.path.join(folder, "run")], capture_output=True, text=True, cwd="/", timeout=300)
    # The log of a part is of another run, and has no end.
    log = os.path.join(folder, "logs", "shard-3.jsonl")
    komuz("eval", POOL, "--cases", CASES, "--score", "absolute", "--shard", "3/5", "--log", log, cwd=place)
    os.truncate(log, os.path.getsize(log) - 1)
    done = run()
    assert done.returncode == 1 and "part 3 failed; see output/3.txt" in done.stderr, done
    assert b"the log is of another run" in read(folder, "output", "3.txt")
    os.remove(log)
    done = run()
    assert done.returncode == 0, done
    assert read(place, "local.json") == read(place, "whole.json")


def check_parts_without_scores(place):
    """A part in which no candidate has a score is no failure; the merge says what is true of all."""
    with open(os.path.join(place, "wrong.jsonl"), "w") as out:
        for number in range(1500):
            source = "pub fn f(x: f64, v: f64, l: f64) -> f64 { x }" if number < 3 else "pub fn f(x: f64) -> f64 { y }"
            out.write(json.dumps({"id": f"c{number}", "source": source}) + "\n")
    words = ["wrong.jsonl", "--cases", CASES, "--score", "squared"]
    komuz("shards", "--of", "3", "--local", "wrong", "--", "eval", *words, "--json", "wrong.json", cwd=place)
    done = subprocess.run([os.path.join(place, "wrong", "run")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done
    komuz("eval", *words, "--json", "right.json", cwd=place)
    assert read(place, "wrong.json") == read(place, "right.json")


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "my place")
        os.makedirs(place)
        check_submit(place)
        check_local(place)
        check_parts_without_scores(place)
    return 0


if __name__ == "__main__":
    KOMUZ = os.path.abspath(sys.argv[1])
    sys.exit(main())
