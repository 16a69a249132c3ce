// SPDX-License-Identifier: Apache-2.0
// A client that talks by WebSocket: each message is a text frame, without a header. Pings are answered; nothing here
// waits for a time. Frames that are none of text are refused by 1003, messages that are too large by 1009, text that
// is not UTF-8 by 1007.
#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <memory>

#include "lsp/transport/connection.h"

namespace komuz::lsp {

// Without compression, which gains nothing inside of a machine.
using WebSocketStream = boost::beast::websocket::stream<boost::asio::ip::tcp::socket, false>;

class WebSocketConnection final : public Connection,
                                  public std::enable_shared_from_this<WebSocketConnection> {
 public:
  // The stream has been accepted.
  WebSocketConnection(std::shared_ptr<WebSocketStream> stream, Events events);
  void start() override { read(); }
  void send(std::string_view message) override;
  void end() override;
  [[nodiscard]] u64 unwritten() const override { return unwritten_bytes_; }
  void pause_reading() override { is_paused_ = true; }
  void go_on_reading() override;

 private:
  void read();
  void take(const boost::system::error_code& error);
  void write();
  void written(const boost::system::error_code& error);
  void close(boost::beast::websocket::close_code code);
  void over();

  std::shared_ptr<WebSocketStream> stream_;
  Events events_;
  boost::beast::flat_buffer buffer_;
  std::deque<std::string> unwritten_;
  u64 unwritten_bytes_ = 0;
  // A read is under way, or what came is being handed on.
  bool is_reading_ = false;
  bool is_paused_ = false, is_ending_ = false, is_closing_ = false, is_over_ = false;
};

}  // namespace komuz::lsp
