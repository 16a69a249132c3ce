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
  // Bytes that were sent and that the client has not taken yet.
  [[nodiscard]] virtual u64 unwritten() const = 0;
  // Whether it reads: while it does not, what the client says stays in the stream, and the client waits when that is full.
  virtual void pause_reading() = 0;
  virtual void go_on_reading() = 0;
};

// What a connection tells.
struct Events {
  std::function<void(std::string_view bytes)> on_bytes;  // messages with their headers
  std::function<void()> on_input_end;  // the client says nothing more, and may still read
  std::function<void()> on_written;    // the client has taken a message
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
    unwritten_bytes_ += unwritten_.back().size();
    if (unwritten_.size() == 1) write();
  }
  void end() override {
    is_ending_ = true;
    if (unwritten_.empty()) over();
  }
  [[nodiscard]] u64 unwritten() const override { return unwritten_bytes_; }
  void pause_reading() override { is_paused_ = true; }
  void go_on_reading() override {
    if (!is_paused_) return;
    is_paused_ = false;
    read();
  }

 private:
  void read() {
    if (is_reading_ || is_paused_ || is_over_ || is_ending_) return;
    is_reading_ = true;
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
    is_reading_ = false;
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
    unwritten_bytes_ -= unwritten_.front().size();
    unwritten_.pop_front();
    if (!unwritten_.empty()) write();
    if (unwritten_.empty() && is_ending_) return over();
    events_.on_written();
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
  u64 unwritten_bytes_ = 0;
  // A read is under way, or what came is being handed on.
  bool is_reading_ = false;
  bool is_paused_ = false, is_ending_ = false, is_over_ = false;
};

}  // namespace komuz::lsp
