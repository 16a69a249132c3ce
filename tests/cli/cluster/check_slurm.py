#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does Slurm run what `komuz shards` writes? A Slurm of this machine alone is started for it, in a folder that is removed.

    check_slurm.py KOMUZ [--measure]

Exit code 77: Slurm is not installed (`scripts/setup --cluster`).
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import one_machine

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
POOL = os.path.join(SOURCE, "examples", "regression", "candidates.jsonl")
CASES = os.path.join(SOURCE, "examples", "regression", "cases.csv")
EVAL = [POOL, "--cases", CASES, "--score", "squared"]


def komuz(*words, cwd):
    done = subprocess.run([KOMUZ, *words], capture_output=True, text=True, cwd=cwd, timeout=300)
    assert done.returncode == 0, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout


def same_files(folder, one, other):
    return open(os.path.join(folder, one), "rb").read() == open(os.path.join(folder, other), "rb").read()


def parts_of(folder):
    """The processes that run parts, by number of the part."""
    found = {}
    for name in os.listdir("/proc"):
        try:
            words = open(f"/proc/{name}/cmdline", "rb").read().split(b"\0")
            if words[0].decode() == KOMUZ and f"{folder}/logs/".encode() in b" ".join(words):
                found[int(re.search(rb"--shard\0(\d+)/", b"\0".join(words))[1])] = int(name)
        except (OSError, IndexError, TypeError):
            continue
    return found



def submitted(slurm, folder, code=0):
    done = slurm.run(os.path.join(folder, "submit"), check=False, cwd="/")
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr, slurm.logs())
    return done


def check_run_of_any_size(slurm, place):
    """More parts than an array may have tasks, in a folder with an unusual name; the bytes are those of one run."""
    folder = os.path.join(place, "a 'run' of 100% $x")
    komuz("shards", "--of", "7", "--slurm", folder, "--time", "10", "--", "eval", *EVAL, "--json", "parts.json", "--best",
          "parts.komuz", "--top", "3", cwd=place)
    table = komuz("eval", *EVAL, "--json", "whole.json", "--best", "whole.komuz", "--top", "3", cwd=place)
    said = submitted(slurm, folder).stdout
    # MaxArraySize is 4: tasks are 1 to 3.
    assert re.sub(r"\d+: ", "N: ", said).count("job N: 3 parts\n") == 2, said
    assert "once 7 of 7 parts" in said, said
    again = submitted(slurm, folder, code=1)
    assert "the run is still going on" in again.stderr, again.stderr
    slurm.wait_for_all()
    ranking = open(os.path.join(folder, "merge.txt")).read()
    assert ranking == table, (ranking, slurm.logs())
    assert same_files(place, "parts.json", "whole.json") and same_files(place, "parts.komuz", "whole.komuz")
    # All is there: the merge alone is done again.
    os.remove(os.path.join(place, "parts.json"))
    assert "all 7 parts have come to their end" in submitted(slurm, folder).stdout
    slurm.wait_for_all()
    assert same_files(place, "parts.json", "whole.json")
    print("seven parts in arrays of three: same bytes as one run")


def stop_part(folder, part, seconds=60):
    """Stops the process of a part in the middle, so that it can be killed there. None: it has ended before."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = parts_of(folder).get(part)
        if found is not None:
            log = os.path.join(folder, "logs", f"shard-{part}.jsonl")
            if os.path.exists(log) and os.path.getsize(log) > 100_000:
                os.kill(found, signal.SIGSTOP)
                return found
        time.sleep(0.002)
    raise AssertionError(f"part {part} did not run in time")


def check_killed_part(slurm, place):
    """A part is killed in the middle: its job fails, the merge goes, and the next call runs that part alone."""
    pool = os.path.join(place, "pool.jsonl")
    with open(POOL) as source, open(pool, "w") as out:
        lines = source.readlines()
        for copy in range(4):
            for line in lines:
                out.write(line.replace('"id": "c', f'"id": "c{copy}'))
    words = [pool, "--cases", CASES, "--score", "squared"]
    komuz("shards", "--of", "3", "--slurm", "killed", "--", "eval", *words, "--json", "parts.json", cwd=place)
    komuz("eval", *words, "--json", "whole.json", cwd=place)
    folder = os.path.join(place, "killed")
    first = re.search(r"job (\d+): 3 parts", submitted(slurm, folder).stdout)[1]
    victim = stop_part(folder, 2)
    # With the shell that waits for it, as where the machine has no memory left.
    parent = int(open(f"/proc/{victim}/stat").read().rsplit(")", 1)[1].split()[1])
    for process in (parent, victim):
        os.kill(process, signal.SIGKILL)
    slurm.wait_for_all()
    jobs = slurm.run("scontrol", "--oneliner", "show", "job", first).stdout.splitlines()
    failed = [job for job in jobs if "JobState=FAILED" in job]
    assert len(failed) == 1 and "ExitCode=0:9" in failed[0] and "ArrayTaskId=2 " in failed[0], (jobs, slurm.logs())
    assert not os.path.exists(os.path.join(place, "killed", "merge.txt"))
    log = os.path.join(folder, "logs", "shard-2.jsonl")
    before = os.path.getsize(log)
    said = submitted(slurm, folder).stdout
    assert "1 part\n" in said and "once 1 of 3 parts" in said, said
    slurm.wait_for_all()
    assert same_files(place, "parts.json", "whole.json"), slurm.logs()
    print(f"a part killed behind {before} bytes of its log ({failed[0].split('Reason=')[1].split()[0]}): same bytes as one run")


def check_requeued_part(slurm, place):
    """A part that Slurm puts back into the queue goes on with its log."""
    words = [os.path.join(place, "pool.jsonl"), "--cases", CASES, "--score", "squared"]
    komuz("shards", "--of", "2", "--slurm", "requeued", "--", "eval", *words, "--json", "again.json", cwd=place)
    folder = os.path.join(place, "requeued")
    job = re.search(r"job (\d+): 2 parts", submitted(slurm, folder).stdout)[1]
    victim = stop_part(folder, 1)
    slurm.run("scontrol", "requeue", f"{job}_1")
    # Slurm lets two minutes pass before such a task starts again.
    end = time.monotonic() + 60
    while "JobState=PENDING" not in slurm.run("scontrol", "--oneliner", "show", "job", f"{job}_1").stdout:
        assert time.monotonic() < end, slurm.logs()
        time.sleep(0.1)
    slurm.run("scontrol", "update", f"JobId={job}_1", "StartTime=now")
    slurm.wait_for_all()
    tasks = slurm.run("scontrol", "--oneliner", "show", "job", job).stdout
    assert "Restarts=1" in tasks, tasks
    assert same_files(place, "again.json", "whole.json"), slurm.logs()
    print("a part put back into the queue: same bytes as one run")


def measure(slurm, place):
    """What tasks cost over processes of this machine: parts of a run without work, and of one with."""
    parts = 100
    for way, start in (("local", "run"), ("slurm", "submit")):
        folder = os.path.join(place, "cost-" + way)
        komuz("shards", "--of", str(parts), "--" + way, folder, "--at-once", "2", "--", "eval", *EVAL, "--json",
              f"{way}.json", cwd=place)
        begin = time.monotonic()
        slurm.run(os.path.join(folder, start), cwd="/")
        submit = time.monotonic() - begin
        slurm.wait_for_all()
        whole = time.monotonic() - begin
        print(f"{way}: {parts} parts in {whole:.1f} s, {1000 * whole / parts:.0f} ms a part; `{start}` itself {submit:.2f} s")
    assert same_files(place, "local.json", "slurm.json")


def main():
    if missing := one_machine.missing():
        print(f"skipped: Slurm is not installed ({', '.join(missing)}); scripts/setup --cluster does it")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "runs")
        os.makedirs(place)
        is_measured = "--measure" in sys.argv
        with one_machine.Slurm(folder, array=1001 if is_measured else 4) as slurm:
            if is_measured:
                measure(slurm, place)
                return 0
            check_run_of_any_size(slurm, place)
            check_killed_part(slurm, place)
            check_requeued_part(slurm, place)
    return 0


if __name__ == "__main__":
    KOMUZ = os.path.abspath(sys.argv[1])
    sys.exit(main())
