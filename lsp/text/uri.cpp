// SPDX-License-Identifier: Apache-2.0
#include "lsp/text/uri.h"

#include "base/ints.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kScheme = "file:";

int digit_of(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}
// A `%` that begins no byte stands for itself.
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    const int high = k + 2 < text.size() && text[k] == '%' ? digit_of(text[k + 1]) : -1;
    const int low = high >= 0 ? digit_of(text[k + 2]) : -1;
    if (low < 0) {
      out += text[k];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    k += 2;
  }
  return out;
}
bool is_plain(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') ||
         std::string_view("-._~/").find(byte) != std::string_view::npos;
}
bool is_scheme(std::string_view uri) {
  if (uri.size() < kScheme.size()) return false;
  for (size_t k = 0; k < kScheme.size(); ++k)
    if ((uri[k] | (uri[k] >= 'A' && uri[k] <= 'Z' ? 0x20 : 0)) != kScheme[k]) return false;
  return true;
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  if (!is_scheme(uri)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::string_view host = uri.substr(0, uri.find('/'));
    if (!host.empty() && host != "localhost") return std::nullopt;
    uri.remove_prefix(host.size());
  }
  std::string path = unescaped(uri);
  // A NUL would end the name for the system, and not for us.
  if (!path.starts_with('/') || path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

std::string uri_of_path(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char byte : path) {
    if (is_plain(byte)) {
      uri += byte;
      continue;
    }
    const u8 code = static_cast<u8>(byte);
    uri += {'%', kDigits[code >> 4], kDigits[code & 15]};
  }
  return uri;
}

std::string uri_key(std::string_view uri) {
  const std::optional<std::string> path = path_of_uri(uri);
  return path ? std::string(kScheme) + *path : std::string(uri);
}

}  // namespace komuz::lsp
