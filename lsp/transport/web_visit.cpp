// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/web_visit.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "lsp/transport/web_socket.h"
#include "lsp/wire/framing.h"

namespace komuz::lsp {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using Error = boost::system::error_code;
using Socket = asio::ip::tcp::socket;

// What is read behind the answer and thrown away: a stream that is closed with bytes unread would take its answer back.
constexpr size_t kMostUnread = size_t{1} << 20;

std::optional<std::string_view> only_field(const http::fields& fields, http::field name) {
  if (fields.count(name) != 1) return std::nullopt;
  const auto value = fields[name];
  return std::string_view(value.data(), value.size());
}

}  // namespace

class WebVisit final : public std::enable_shared_from_this<WebVisit> {
 public:
  WebVisit(const WebDoor& door, Socket socket, const OnWebClient& on_client)
      : door_(door), socket_(std::move(socket)), on_client_(on_client), buffer_(kMostHeaderBytes) {
    parser_.header_limit(static_cast<u32>(kMostHeaderBytes));
  }
  void start() {
    http::async_read_header(
        socket_, buffer_, parser_,
        [self = shared_from_this()](const Error& error, size_t) { self->read(error); });
  }
  // What it waits for does not come.
  void give_up() {
    Error ignored;
    socket_.close(ignored);
  }

 private:
  void read(const Error& error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      return say(WebDoor::refusal(
          431, "a header has at most " + std::to_string(kMostHeaderBytes) + " bytes"));
    // What has gone hears nothing; what is no HTTP hears that.
    const Error as_http = http::error::end_of_stream;
    const bool has_gone = error.category() != as_http.category() || error == as_http ||
                          error == http::error::partial_message;
    if (error && has_gone) return;
    if (error) return say(WebDoor::refusal(400, "this is no request of HTTP"));
    const auto& request = parser_.get();
    const auto method = request.method_string(), target = request.target();
    WebRequest asked;
    asked.method = {method.data(), method.size()};
    asked.target = {target.data(), target.size()};
    asked.host = only_field(request, http::field::host);
    asked.origin = only_field(request, http::field::origin);
    // Two origins are those of somebody else.
    if (request.count(http::field::origin) > 1) asked.origin = "";
    asked.is_websocket = websocket::is_upgrade(request);
    WebAnswer answer = door_.answer(asked);
    if (!answer.is_websocket) return say(std::move(answer.text));
    if (buffer_.size() != 0)
      return say(WebDoor::refusal(400, "a WebSocket says nothing before it is accepted"));
    accept();
  }
  void accept() {
    auto stream = std::make_shared<WebSocketStream>(std::move(socket_));
    stream->set_option(websocket::stream_base::decorator(
        [](websocket::response_type& response) { response.set(http::field::server, "komuz"); }));
    // A key or a version that it does not take is answered by the stream itself.
    stream->async_accept(parser_.get(), [self = shared_from_this(), stream](const Error& error) {
      if (error) return;
      self->on_client_([&](Events events) {
        return std::make_shared<WebSocketConnection>(stream, std::move(events));
      });
    });
  }
  void say(std::string text) {
    text_ = std::move(text);
    asio::async_write(socket_, asio::buffer(text_),
                      [self = shared_from_this()](const Error& error, size_t) {
                        if (error) return;
                        Error ignored;
                        self->socket_.shutdown(Socket::shutdown_send, ignored);
                        self->throw_away(0);
                      });
  }
  void throw_away(size_t before) {
    socket_.async_read_some(asio::buffer(unread_),
                            [self = shared_from_this(), before](const Error& error, size_t count) {
                              if (!error && before + count < kMostUnread)
                                self->throw_away(before + count);
                            });
  }

  const WebDoor& door_;
  Socket socket_;
  const OnWebClient& on_client_;
  boost::beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  std::string text_;
  std::array<char, 4096> unread_{};
};

void WebVisits::receive(Socket socket) {
  std::erase_if(visits_, [](const auto& visit) { return visit.expired(); });
  if (visits_.size() >= kMostAtOnce) {
    if (const auto oldest = visits_.front().lock()) oldest->give_up();
    visits_.pop_front();
  }
  const auto visit = std::make_shared<WebVisit>(door_, std::move(socket), on_client_);
  visits_.push_back(visit);
  visit->start();
}

}  // namespace komuz::lsp
