// SPDX-License-Identifier: Apache-2.0
// Messages in a stream of bytes: each stands behind a header that says how long it is.
//
//   Content-Length: 52␍␊
//   ␍␊
//   {"jsonrpc":"2.0",…
//
// Names of header fields are in any case, lines may end by a line feed alone, bytes come in any portions. Where a
// header means nothing, what follows is passed over until the next one begins: a stream never is at a loss for ever.
//
// One kind of stream is refused for ever: a request of HTTP. Any web page can send one to a port of this machine, and
// its header has `Content-Length`, too, before a body that the page chooses.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::lsp {

inline constexpr u64 kMostHeaderBytes = u64{8} << 10, kMostBodyBytes = u64{64} << 20;

struct Frame {
  std::string body;
  std::string problem;  // what is wrong with a header, in the place of a message; empty: nothing
};

class FrameReader {
 public:
  void add(std::string_view bytes);
  // Nothing: the next one is not there yet.
  [[nodiscard]] std::optional<Frame> next();

 private:
  // Goes to where a header begins. False: none does yet.
  bool find_header();
  // Looks at the first bytes of the stream. False: they are not all there yet.
  bool look_for_http();
  // Reads a header. Nothing: it is not whole yet, or `length_` is what it says.
  [[nodiscard]] std::optional<Frame> read_header();
  [[nodiscard]] Frame lose(std::string problem);
  void forget_read();

  std::string bytes_;
  u64 at_ = 0;  // of `bytes_`, what was read
  std::optional<u64> length_;
  bool is_lost_ = false;
  enum class Kind : u8 { Unknown, Messages, Http } kind_ = Kind::Unknown;
};

// A message with its header.
[[nodiscard]] std::string framed(std::string_view body);

}  // namespace komuz::lsp
