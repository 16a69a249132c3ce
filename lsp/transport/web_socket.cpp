// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/web_socket.h"

#include <string_view>

#include "lsp/wire/framing.h"

namespace komuz::lsp {

namespace websocket = boost::beast::websocket;

WebSocketConnection::WebSocketConnection(std::shared_ptr<WebSocketStream> stream, Events events)
    : stream_(std::move(stream)), events_(std::move(events)) {
  stream_->read_message_max(kMostBodyBytes);
  stream_->auto_fragment(false);
  stream_->text(true);
}

void WebSocketConnection::send(std::string_view message) {
  if (is_over_ || is_closing_) return;
  unwritten_.emplace_back(message);
  unwritten_bytes_ += message.size();
  if (unwritten_.size() == 1) write();
}

void WebSocketConnection::end() {
  if (is_ending_) return;
  is_ending_ = true;
  if (unwritten_.empty()) close(websocket::close_code::normal);
  // Until the other one closes as well.
  go_on_reading();
}

void WebSocketConnection::go_on_reading() {
  if (!is_paused_) return;
  is_paused_ = false;
  read();
}

void WebSocketConnection::read() {
  if (is_reading_ || is_paused_ || is_over_) return;
  is_reading_ = true;
  // 0: as much as the stream likes to give.
  stream_->async_read_some(
      buffer_, 0, [self = shared_from_this()](const auto& error, size_t) { self->take(error); });
}

void WebSocketConnection::take(const boost::system::error_code& error) {
  if (is_over_) return;
  // It has been closed by one of us, in the right words or without any: the stream has said by which code.
  if (error) return over();
  if (is_ending_) {
    buffer_.clear();
    is_reading_ = false;
    return read();
  }
  if (!stream_->got_text()) return close(websocket::close_code::unknown_data);
  if (stream_->is_message_done()) {
    const auto bytes = buffer_.cdata();
    // A record of a session, and what reads it, know one kind of stream.
    const std::string message = framed({static_cast<const char*>(bytes.data()), bytes.size()});
    buffer_.clear();
    events_.on_bytes(message);
    if (is_over_) return;
  }
  is_reading_ = false;
  read();
}

void WebSocketConnection::write() {
  stream_->async_write(
      boost::asio::buffer(unwritten_.front()),
      [self = shared_from_this()](const auto& error, size_t) { self->written(error); });
}

void WebSocketConnection::written(const boost::system::error_code& error) {
  if (is_over_) return;
  if (error) return over();
  unwritten_bytes_ -= unwritten_.front().size();
  unwritten_.pop_front();
  if (is_closing_) return;
  if (!unwritten_.empty()) write();
  if (unwritten_.empty() && is_ending_) return close(websocket::close_code::normal);
  events_.on_written();
}

void WebSocketConnection::close(websocket::close_code code) {
  if (is_closing_) return;
  is_closing_ = true;
  stream_->async_close(code, [self = shared_from_this()](const auto&) { self->over(); });
}

void WebSocketConnection::over() {
  if (is_over_) return;
  is_over_ = true;
  boost::system::error_code ignored;
  stream_->next_layer().cancel(ignored);
  if (auto told = std::move(events_.on_end)) told();
}

}  // namespace komuz::lsp
