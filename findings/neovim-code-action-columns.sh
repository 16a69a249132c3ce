#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Neovim 0.7.2 (Debian 12, 0.7.2-7): a request for code actions has the diagnostics of its range in bytes, though all else is in UTF-16.
#
# Seen: a server without `positionEncoding`, so UTF-16, marks `sid` behind `𝄞é` as characters 9 to 12 of its line. Neovim asks for code
# actions at the right range, character 9. But the server's own diagnostic comes back in `context.diagnostics` as characters 12 to 15: Neovim
# keeps byte columns, and does not turn them back. A server that finds its fixes by the place of that diagnostic finds none if anything
# but ASCII stands before it on the line.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq neovim=0.7.2-7 neovim-runtime=0.7.2-7 libluajit-5.1-2 libmsgpackc2 libtermkey1 libtree-sitter0 libunibilium4 libuv1 \
  libvterm0 lua-luv
for package in *.deb; do dpkg -x "$package" root; done
cat >server.py <<'CODE'
import json, sys
def read():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        if line.lower().startswith(b"content-length:"): length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length)) if length else None
def send(**message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
    sys.stdout.buffer.flush()
place = {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 12}}
while (message := read()):
    method = message.get("method")
    if method == "initialize":
        send(id=message["id"], result={"capabilities": {"textDocumentSync": 1, "codeActionProvider": True}})
    elif method == "textDocument/didOpen":
        send(method="textDocument/publishDiagnostics", params={"uri": message["params"]["textDocument"]["uri"],
             "diagnostics": [{"range": place, "message": "unknown", "severity": 1}]})
    elif method == "textDocument/codeAction":
        asked = message["params"]
        def columns(at): return f"{at['start']['character']} to {at['end']['character']}"
        with open("seen", "w") as file:
            print("server said:", columns(place), file=file)
            print("range asked from:", asked["range"]["start"]["character"], file=file)
            print("diagnostic sent back:", columns(asked["context"]["diagnostics"][0]["range"]), file=file)
        send(id=message["id"], result=[])
    elif "id" in message: send(id=message["id"], result=None)
    if method == "exit": break
CODE
printf 'f("𝄞é") sid\n' >text.txt  # f ( " 𝄞 (2 units, 4 bytes) é (1 unit, 2 bytes) …
cat >drive.lua <<'CODE'
vim.lsp.start_client({cmd = {"python3", "server.py"}, on_init = function(client) vim.lsp.buf_attach_client(0, client.id) end})
vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, {1, found.col})
vim.lsp.buf.code_action()
vim.wait(10000, function() return vim.fn.filereadable("seen") == 1 end)
vim.cmd("qa!")
CODE
root=$folder/root
export HOME=$folder VIMRUNTIME=$root/usr/share/nvim/runtime LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu
LUA_CPATH="$root/usr/lib/x86_64-linux-gnu/lua/5.1/?.so" "$root/usr/bin/nvim" --headless --clean -u NONE text.txt -S drive.lua >/dev/null 2>log || cat log
cat seen
[ "$(cat seen)" = "server said: 9 to 12
range asked from: 9
diagnostic sent back: 12 to 15" ] || { echo "this has changed" >&2; exit 1; }
