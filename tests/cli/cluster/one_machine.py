# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one machine, in a folder of its own: nothing of a Slurm that runs elsewhere is touched.

It wants neither munge nor another account: Debian's Slurm has `auth/none` and `cred/none`. It stops with the test.
"""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ["slurmctld", "slurmd"]
COMMANDS = ["sbatch", "squeue", "scontrol"]

CONFIGURATION = """\
ClusterName=komuz
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=100000,batch_sched_delay=0
MaxArraySize={array}
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [name for name in DAEMONS + COMMANDS if shutil.which(name, path=path) is None]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Slurm:
    def __init__(self, folder, processors=2, array=1001):
        self.folder = folder
        self.environment = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin",
                                SLURM_CONF=os.path.join(folder, "slurm.conf"))
        for name in ("state", "spool"):
            os.makedirs(os.path.join(folder, name))
        with open(self.environment["SLURM_CONF"], "w") as out:
            lines = CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=folder,
                                         control=free_port(), node=free_port(), processors=processors, array=array)
            out.write(lines)
        self.daemons = []

    def __enter__(self):
        for name in DAEMONS:
            out = open(os.path.join(self.folder, name + ".out"), "w")
            self.daemons.append(subprocess.Popen([name, "-D"], env=self.environment, stdout=out, stderr=out,
                                                 start_new_session=True))
        end = time.monotonic() + 60
        while "idle" not in self.run("sinfo", "--noheader", "--format=%T", check=False).stdout:
            if time.monotonic() > end or any(daemon.poll() is not None for daemon in self.daemons):
                logs = self.logs()
                self.stop()
                raise RuntimeError("Slurm did not start:\n" + logs)
            time.sleep(0.1)
        return self

    def __exit__(self, *_):
        self.run("scancel", "--user", getpass.getuser(), check=False)
        self.stop()

    def stop(self):
        for daemon in self.daemons:
            daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def logs(self):
        text = ""
        for name in DAEMONS:
            for ending in (".out", ".log"):
                path = os.path.join(self.folder, name + ending)
                if os.path.exists(path):
                    text += f"== {name}{ending}\n" + open(path, errors="replace").read()[-3000:]
        return text

    def run(self, *words, check=True, **options):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=check, timeout=120, **options)

    def wait_for_all(self, seconds=300):
        """Until no job is left."""
        end = time.monotonic() + seconds
        while self.run("squeue", "--noheader").stdout.strip():
            if time.monotonic() > end:
                raise RuntimeError("jobs do not end:\n" + self.run("squeue").stdout + self.logs())
            time.sleep(0.1)
