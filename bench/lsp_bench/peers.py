# SPDX-License-Identifier: Apache-2.0
"""The servers that are measured: komuz, clangd, and typescript-language-server of npm."""
import shutil
import subprocess
import sys
from pathlib import Path

from languages import C, KOMUZ, TS
from stdio_client import Client

PACKAGES = ["typescript-language-server@5", "typescript@5"]
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True, "codeDescriptionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "semanticTokens": {"requests": {"full": {"delta": True}, "range": True}, "formats": ["relative"],
                           "tokenTypes": ["function", "variable", "parameter", "type", "number"], "tokenModifiers": []},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


class Peer:
    def __init__(self, name, command, language):
        self.name, self.command, self.language = name, command, language

    def start(self, folder, options=None):
        return Client(self.command, folder, CAPABILITIES, options)


def version_of(command):
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    words = [word for word in done.stdout.split() if word[:1].isdigit()]
    return words[0].split("-")[0] if words else ""


def npm_server(folder):
    """The path of the server of npm, which is fetched into the folder; None: it cannot be had."""
    server = Path(folder) / "node_modules/.bin/typescript-language-server"
    if not server.exists() and shutil.which("npm"):
        subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", *PACKAGES], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=300, check=False)
    return str(server) if server.exists() else None


def find_peers(komuz, is_alone, npm_folder):
    """komuz first. What is not installed is left out, and that is said."""
    peers = [Peer("komuz", [str(Path(komuz).resolve()), "lsp"], KOMUZ)]
    if is_alone:
        return peers
    if shutil.which("clangd"):
        peers.append(Peer("clangd " + version_of(["clangd"]), ["clangd", "--log=error"], C))
    else:
        print("clangd is not installed: left out", file=sys.stderr)
    if server := npm_server(npm_folder):
        peers.append(Peer("typescript-language-server " + version_of([server]), [server, "--stdio"], TS))
    else:
        print("typescript-language-server cannot be had from npm: left out", file=sys.stderr)
    return peers
