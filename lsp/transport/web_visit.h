// SPDX-License-Identifier: Apache-2.0
// Streams of HTTP: the request of each is answered by the door (lsp/web/door.h), or it goes on as a WebSocket and is
// a client like others. No time is waited for, so a stream that says nothing stays; where many do, the oldest of them
// go.
#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <functional>
#include <memory>

#include "lsp/transport/connection.h"
#include "lsp/web/door.h"

namespace komuz::lsp {

using MakeConnection = std::function<std::shared_ptr<Connection>(Events events)>;
using OnWebClient = std::function<void(const MakeConnection& make)>;

class WebVisit;

class WebVisits {
 public:
  // `on_client` is called for each stream that goes on as a WebSocket. Both outlive the loop's run.
  WebVisits(const WebDoor& door, OnWebClient on_client)
      : door_(door), on_client_(std::move(on_client)) {}
  void receive(boost::asio::ip::tcp::socket socket);

 private:
  static constexpr size_t kMostAtOnce = 64;

  const WebDoor& door_;
  OnWebClient on_client_;
  std::deque<std::weak_ptr<WebVisit>> visits_;  // the oldest first
};

}  // namespace komuz::lsp
