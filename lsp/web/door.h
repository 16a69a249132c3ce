// SPDX-License-Identifier: Apache-2.0
// Who may come in by HTTP, and what they get. Any web page can reach a port of this machine, also under a name of its
// own (DNS rebinding). So a request has to know three things, which pages of others do not all have:
//
//   Host     127.0.0.1:PORT or localhost:PORT, which a name that was bound to this machine is not
//   token    the first part of the path, random in each run, printed once: http://127.0.0.1:PORT/TOKEN/
//   Origin   of a WebSocket: that of this server's own page, which a browser says and a page cannot change
//
// Everybody else gets 403 and a sentence. Requests and answers in, texts out: knows no stream.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::lsp {

// The header of a request, as far as it matters here. A field that comes twice counts as none.
struct WebRequest {
  std::string_view method, target;  // GET, /TOKEN/page.js
  std::optional<std::string_view> host, origin;
  bool is_websocket = false;  // it asks to go on as one
};

struct WebAnswer {
  bool is_websocket = false;  // the request goes on as one; else `text` is said
  std::string text;           // of HTTP, whole
};

class WebDoor {
 public:
  // `has_page`: the files of the page are served, too. `token`: of new_token().
  WebDoor(u16 port, std::string token, bool has_page);

  [[nodiscard]] WebAnswer answer(const WebRequest& request) const;
  // The sentence for a header that is none.
  [[nodiscard]] static std::string refusal(u32 status, std::string_view sentence);

  // What a person is told: http://127.0.0.1:PORT/TOKEN/ of a page, ws://… without one.
  [[nodiscard]] std::string address() const;

 private:
  // `host`: one of this server's, as the browser knows it.
  [[nodiscard]] std::string file(std::string_view path, std::string_view host) const;

  std::string hosts_[2];
  std::string token_;
  bool has_page_;
};

}  // namespace komuz::lsp
