# SPDX-License-Identifier: Apache-2.0
"""What a process takes: memory, and how often it wakes up."""
import re
from pathlib import Path


def with_children(pid):
    parents, found = {}, [pid]
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def megabytes(pid):
    """Of the process alone."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/%d/status" % pid).read_text())[1]) / 1024


def wake_ups(pid):
    """Switches of its threads since they began, and of those of processes that it started."""
    total = 0
    for one in with_children(pid):
        for task in Path("/proc/%d/task" % one).iterdir():
            total += sum(int(n) for n in re.findall(r"ctxt_switches:\s+(\d+)", (task / "status").read_text()))
    return total
