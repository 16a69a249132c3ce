// SPDX-License-Identifier: Apache-2.0
// A stream of a client: what comes is handed on, what is sent is written in order. The stream may be standard input
// and output, a socket, or any other that Asio has; web_socket.h has one of another kind.
#pragma once
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/ints.h"
#include "lsp/wire/framing.h"

namespace komuz::lsp {

class Connection {
 public:
  virtual ~Connection() = default;
  // Once.
  virtual void start() = 0;
  virtual void send(std::string_view message) = 0;
  // Reads no more, and closes when all is written.
  virtual void end() = 0;
};

// What a connection tells.
struct Events {
  std::function<void(std::string_view bytes)> on_bytes;  // messages with their headers
  std::function<void()> on_input_end;  // the client says nothing more, and may still read
  std::function<void()> on_end;  // the client has gone, or all is written behind end(); told once
};

template <class In, class Out>
class StreamConnection final : public Connection,
                               public std::enable_shared_from_this<StreamConnection<In, Out>> {
 public:
  // `in` and `out` may be one.
  StreamConnection(std::shared_ptr<In> in, std::shared_ptr<Out> out, Events events)
      : in_(std::move(in)), out_(std::move(out)), events_(std::move(events)) {}

  void start() override { read(); }
  void send(std::string_view message) override {
    if (is_over_) return;
    unwritten_.push_back(framed(message));
    if (unwritten_.size() == 1) write();
  }
  void end() override {
    is_ending_ = true;
    if (unwritten_.empty()) over();
  }

 private:
  void read() {
    in_->async_read_some(boost::asio::buffer(bytes_),
                         [self = this->shared_from_this()](const auto& error, size_t count) {
                           self->take(error, count);
                         });
  }
  void take(const boost::system::error_code& error, size_t count) {
    if (is_over_ || is_ending_) return;
    if (count != 0) events_.on_bytes({bytes_.data(), count});
    if (is_over_ || is_ending_) return;
    if (error == boost::asio::error::eof) return events_.on_input_end();
    if (error) return over();
    read();
  }
  void write() {
    boost::asio::async_write(
        *out_, boost::asio::buffer(unwritten_.front()),
        [self = this->shared_from_this()](const auto& error, size_t) { self->written(error); });
  }
  void written(const boost::system::error_code& error) {
    if (is_over_) return;
    // Nobody reads any more.
    if (error) return over();
    unwritten_.pop_front();
    if (!unwritten_.empty()) return write();
    if (is_ending_) over();
  }
  void over() {
    if (is_over_) return;
    is_over_ = true;
    boost::system::error_code ignored;
    in_->cancel(ignored);
    out_->cancel(ignored);
    if (auto told = std::move(events_.on_end)) told();
  }

  std::shared_ptr<In> in_;
  std::shared_ptr<Out> out_;
  Events events_;
  std::array<char, size_t{1} << 16> bytes_{};
  std::deque<std::string> unwritten_;
  bool is_ending_ = false, is_over_ = false;
};

}  // namespace komuz::lsp
