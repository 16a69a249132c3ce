// SPDX-License-Identifier: Apache-2.0
// Sessions as text: what a client does, and below each step what the server sends.
//
//   # words
//   file /w/lib/two.komuz            a file on the disk, its text below
//   | pub fn two() -> i64 { 2 }
//   body [1]                         a message as it is written, behind its header
//   client neovim                    `initialize` and `initialized` as tests/lsp/clients/neovim.json says
//   client neovim all                … also what the server asks of it at once
//   open /w/a.komuz 1                a document and its version; its text below
//   | fn f() -> i64 { 1 }
//   change /w/a.komuz 2              all of its text
//   ask /w/a.komuz 0:3 textDocument/hover {…}    a request at a line and a column, from 0; what else it has
//   ask /w/a.komuz textDocument/foldingRange {…} … about a document
//   send {"method":"exit"}           any message; `"jsonrpc"` is put in, and an `"id"` where it has `"id": "next"`
//   bytes Content-Length: 3\r\n\r\n  as they are
//   session input squared /w/data.csv    a session is attached that has defined the items below; `input`: it takes some; with cases
//   | fn half(x: f64) -> f64 { x / 2.0 }
//   session none                     … none is any more
//   hold                             jobs wait until `run`
//   run
//   < {…}                            what was sent, a message each, laid out; of `client` its encoding alone, and of tokens words
#pragma once
#include <string>
#include <string_view>

namespace komuz::lsp_test {

// The text with what is sent now.
[[nodiscard]] std::string replayed(std::string_view transcript);

}  // namespace komuz::lsp_test
