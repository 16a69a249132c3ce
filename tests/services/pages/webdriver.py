# SPDX-License-Identifier: Apache-2.0
"""As much of WebDriver (W3C) as the checks of pages need: HTTP and JSON to a chromedriver of our own on this machine."""

import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER = "\ue007"
SECONDS = 60  # that an answer may take


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """A headless Chromium that talks to nobody, with a profile of its own; `with Browser(…) as browser`."""

    def __init__(self, driver, chromium):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        port = free_port()
        self.root = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        arguments = ["--headless", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                     "--disable-sync", "--no-first-run", f"--user-data-dir={self.profile.name}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # there is none for root
        options = {"binary": chromium, "args": arguments}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        try:
            self.wait_for_driver()
            made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        except BaseException:
            self.stop()
            raise
        self.root += "/session/" + made["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.stop()

    def stop(self):
        self.driver.terminate()
        self.driver.wait(SECONDS)
        self.profile.cleanup()

    def wait_for_driver(self):
        end = time.monotonic() + SECONDS
        while True:
            try:
                self.call("GET", "/status")
                return
            except urllib.error.URLError:
                if time.monotonic() > end or self.driver.poll() is not None:
                    raise
                time.sleep(0.05)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        # Not through a proxy that the environment may name.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:500]}") from None

    def open(self, path):
        self.call("POST", "/url", {"url": path.resolve().as_uri()})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def elements(self, selector):
        found = self.call("POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def click(self, element):
        self.call("POST", f"/element/{element}/click", {})

    def type(self, element, text):
        self.call("POST", f"/element/{element}/value", {"text": text})

    def messages(self):
        """What the console was told since the last question."""
        return [entry["level"] + ": " + entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]
