// SPDX-License-Identifier: Apache-2.0
// A stream of HTTP: its request is answered by the door (lsp/web/door.h), or it goes on as a WebSocket and is a client like others.
#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>

#include "lsp/transport/connection.h"
#include "lsp/web/door.h"

namespace komuz::lsp {

using MakeConnection = std::function<std::shared_ptr<Connection>(Events events)>;
using OnWebClient = std::function<void(const MakeConnection& make)>;

// `door` outlives the loop's run. `on_client` is called if the stream goes on as a WebSocket.
void receive_visit(const WebDoor& door, boost::asio::ip::tcp::socket socket, OnWebClient on_client);

}  // namespace komuz::lsp
