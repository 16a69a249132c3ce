// SPDX-License-Identifier: Apache-2.0
#include "lsp/web/door.h"

#include <algorithm>
#include <span>

#include "lsp/web/page_files.h"
#include "lsp/web/token.h"
#include "services/web_texts.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kPlain = "text/plain; charset=utf-8";
constexpr std::string_view kRightAddress =
    "open the address that `komuz lsp` printed when it began";

std::string_view reason_of(u32 status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 431: return "Request Header Fields Too Large";
    default: return "Internal Server Error";
  }
}

// Each answer is the last of its stream. Nothing is kept: the address of the next run is another one.
std::string http_text(u32 status, std::string_view type, std::string_view policy,
                      std::string_view body) {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
  out += reason_of(status);
  out += "\r\nContent-Type: ";
  out += type;
  out += "\r\nContent-Length: " + std::to_string(body.size());
  if (status == 405) out += "\r\nAllow: GET";
  out += "\r\nContent-Security-Policy: ";
  out += policy;
  out +=
      "\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer"
      "\r\nCross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin"
      "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
  return out += body;
}

std::string_view type_of(std::string_view name) {
  struct Row {
    std::string_view ending, type;
  };
  static constexpr Row kRows[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
  };
  for (const Row& row : kRows)
    if (name.ends_with(row.ending)) return row.type;
  return kPlain;
}

const PageFile* find(std::span<const PageFile> files, std::string_view name) {
  const auto found = std::ranges::find(files, name, &PageFile::name);
  return found == files.end() ? nullptr : &*found;
}

// The editor of the page puts a style sheet into it, which the policy takes by this mark alone.
constexpr std::string_view kNonceMark = "{nonce}";

std::string with_nonce(std::string_view text, std::string_view nonce) {
  std::string out;
  for (size_t at; (at = text.find(kNonceMark)) != std::string_view::npos;) {
    out += text.substr(0, at);
    out += nonce;
    text.remove_prefix(at + kNonceMark.size());
  }
  return out += text;
}

}  // namespace

WebDoor::WebDoor(u16 port, std::string token, bool has_page)
    : hosts_{"127.0.0.1:" + std::to_string(port), "localhost:" + std::to_string(port)},
      token_(std::move(token)),
      has_page_(has_page) {}

std::string WebDoor::address() const {
  return (has_page_ ? "http://" : "ws://") + hosts_[0] + "/" + token_ + "/";
}

std::string WebDoor::refusal(u32 status, std::string_view sentence) {
  return http_text(status, kPlain, "default-src 'none'", std::string(sentence) + "\n");
}

WebAnswer WebDoor::answer(const WebRequest& request) const {
  const auto refuse = [](u32 status, std::string_view words) {
    return WebAnswer{false, refusal(status, words)};
  };
  const auto* const host = std::ranges::find_if(
      hosts_, [&](const std::string& own) { return request.host && *request.host == own; });
  if (host == std::end(hosts_))
    return refuse(403, "this is not a name of this server: " + std::string(kRightAddress));
  const bool is_own_page = request.origin && *request.origin == "http://" + *host;
  if (!is_own_page && (request.is_websocket || request.origin))
    return refuse(
        403,
        request.origin
            ? "a page of another site may not talk to this server: " + std::string(kRightAddress)
            : "a WebSocket names the page that it is of (`Origin: http://" + *host + "`)");
  // What stands behind a `?` is of no account.
  std::string_view path = request.target.substr(0, request.target.find('?'));
  if (path.starts_with('/')) path.remove_prefix(1);
  const std::string_view token = path.substr(0, path.find('/'));
  if (!is_same_secret(token, token_))
    return refuse(
        403, "the address has no token, or that of another run: " + std::string(kRightAddress));
  if (request.method != "GET") return refuse(405, "this server answers `GET` alone");
  path.remove_prefix(token.size());
  if (request.is_websocket) {
    if (path.empty() || path == "/") return {true, {}};
    return refuse(404, "the WebSocket is at /TOKEN/");
  }
  if (!has_page_) return refuse(404, "this server has no page: `komuz lsp --page` has one");
  return {false, file(path, *host)};
}

std::string WebDoor::file(std::string_view path, std::string_view host) const {
  constexpr std::string_view kExamples = "/examples/";
  std::string missing = refusal(404, "there is no such file");
  const std::string nothing_more = "default-src 'none'";
  // Names in the page are relative to it.
  if (path.empty()) return refusal(404, "the address of the page ends with `/`");
  if (path == "/palette.css")
    return http_text(200, type_of(path), nothing_more,
                     services::text_of(services::style_sheets(), "palette"));
  if (path.starts_with(kExamples)) {
    const PageFile* const example = find(page_examples(), path.substr(kExamples.size()));
    return example ? http_text(200, kPlain, nothing_more, example->text) : missing;
  }
  const std::string_view name = path == "/" ? "index.html" : path.substr(1);
  const PageFile* const found = find(page_files(), name);
  if (found == nullptr) return missing;
  if (path != "/") return http_text(200, type_of(name), nothing_more, found->text);
  const std::string nonce = new_token();
  if (nonce.empty()) return refusal(500, "the system gives no random numbers");
  // Nothing of other addresses, no script and no style sheet but the page's own. Pictures: marks of the editor, in
  // its style sheet. Attributes: browsers put styles on what is typed over something else.
  const std::string policy =
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce +
      "'; style-src-attr 'unsafe-inline'; img-src data:; connect-src 'self' ws://" +
      std::string(host) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return http_text(200, type_of(name), policy, with_nonce(found->text, nonce));
}

}  // namespace komuz::lsp
