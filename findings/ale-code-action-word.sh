#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ALE 3.3.0 (Debian 12, vim-ale 3.3.0-1; run here in Neovim 0.7.2-7): `:ALECodeAction` on the first letter of a word asks about the same
# word further left.
#
# Seen: on the line `f(side) + g(side)`, with the cursor on the `s` of the second `side`, ALE asks a server for code actions of characters 2
# to 6, which is the first `side`. One letter further right it asks about characters 12 to 16. The cause is a backward search for the word
# that does not accept a match at the cursor (`searchpos` without the flag `c` in autoload/ale/codefix.vim). So a server offers actions for
# the wrong word, or none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq vim-ale=3.3.0-1 neovim=0.7.2-7 neovim-runtime=0.7.2-7 libluajit-5.1-2 libmsgpackc2 libtermkey1 libtree-sitter0 \
  libunibilium4 libuv1 libvterm0 lua-luv
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
while (message := read()):
    method = message.get("method")
    if method == "initialize":
        send(id=message["id"], result={"capabilities": {"textDocumentSync": 1, "codeActionProvider": True}})
    elif method == "textDocument/didOpen":
        open("opened", "w").close()
    elif method == "textDocument/codeAction":
        asked = message["params"]["range"]
        with open("seen", "w") as file:
            print("asked about", asked["start"]["character"], "to", asked["end"]["character"], file=file)
        send(id=message["id"], result=[])
    elif "id" in message: send(id=message["id"], result=None)
    if method == "exit": break
CODE
printf 'f(side) + g(side)\n' >text.txt
cat >drive.vim <<'CODE'
set nocompatible noswapfile
execute 'set runtimepath^=' . $ALE
let g:ale_linters_explicit = 1
let g:ale_linters = {'text': ['server']}
let g:ale_lint_delay = 0
runtime plugin/ale.vim
call ale#linter#Define('text', {'name': 'server', 'lsp': 'stdio', 'executable': 'python3', 'command': '%e server.py',
      \ 'language': 'text', 'project_root': getcwd()})
edit text.txt
set filetype=text
ALELint
call wait(10000, {-> filereadable('opened')})
call cursor(1, $COLUMN)
ALECodeAction
call wait(10000, {-> filereadable('seen')})
qall!
CODE
root=$folder/root
export HOME=$folder VIMRUNTIME=$root/usr/share/nvim/runtime LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu ALE=$root/usr/share/vim-ale
export LUA_CPATH="$root/usr/lib/x86_64-linux-gnu/lua/5.1/?.so"
for column in 13 14; do
  rm -f opened seen
  COLUMN=$column timeout 60 "$root/usr/bin/nvim" --headless --clean -u drive.vim >/dev/null 2>log || cat log
  echo "cursor on byte $column: $(cat seen)" | tee -a all
done
seen=$(cat all)
[ "$seen" = "cursor on byte 13: asked about 2 to 6
cursor on byte 14: asked about 12 to 16" ] || { echo "this has changed" >&2; exit 1; }
