// SPDX-License-Identifier: Apache-2.0
#include "lsp/web/door.h"

#include <gtest/gtest.h>

#include <set>

#include "lsp/web/page_files.h"
#include "lsp/web/token.h"

namespace komuz::lsp_test {
namespace {

using lsp::WebAnswer;
using lsp::WebDoor;
using lsp::WebRequest;

const std::string kToken = "0123456789abcdef0123456789abcdef";
constexpr std::string_view kHost = "127.0.0.1:8940", kOrigin = "http://127.0.0.1:8940";

WebRequest socket_of(std::string_view target) { return {"GET", target, kHost, kOrigin, true}; }
WebRequest file_of(std::string_view target) { return {"GET", target, kHost, {}, false}; }
u32 status_of(const WebAnswer& answer) {
  if (answer.is_websocket) return 101;
  return static_cast<u32>(std::stoul(answer.text.substr(9, 3)));
}
u32 status_of(const WebRequest& request, bool has_page = true) {
  return status_of(WebDoor(8940, kToken, has_page).answer(request));
}

TEST(WebDoor, TheOwnPageComesIn) {
  const std::string target = "/" + kToken + "/";
  EXPECT_EQ(status_of(socket_of(target)), 101u);
  EXPECT_EQ(status_of(socket_of("/" + kToken)), 101u);
  EXPECT_EQ(status_of(socket_of(target + "?x=1")), 101u);
  EXPECT_EQ(status_of(socket_of(target), false), 101u);
  WebRequest by_name = socket_of(target);
  by_name.host = "localhost:8940";
  by_name.origin = "http://localhost:8940";
  EXPECT_EQ(status_of(by_name), 101u);
}

TEST(WebDoor, OtherNamesOfThisMachineAreRefused) {
  const std::string target = "/" + kToken + "/";
  for (const std::string_view host :
       {"", "evil.example:8940", "127.0.0.1", "127.0.0.1:8941", "127.0.0.1:8940.evil.example",
        "localhost", "LOCALHOST:8940", "[::1]:8940", "127.0.0.1:8940 ", "user@127.0.0.1:8940"}) {
    WebRequest request = socket_of(target);
    request.host = host;
    request.origin = "http://" + std::string(host);
    EXPECT_EQ(status_of(request), 403u) << host;
    request = file_of(target);
    request.host = host;
    EXPECT_EQ(status_of(request), 403u) << host;
  }
  WebRequest request = file_of(target);
  request.host = {};
  EXPECT_EQ(status_of(request), 403u);
}

TEST(WebDoor, PagesOfOtherSitesAreRefused) {
  const std::string target = "/" + kToken + "/";
  for (const std::string_view origin :
       {"", "null", "http://evil.example", "https://127.0.0.1:8940", "http://127.0.0.1:8941",
        "http://127.0.0.1", "http://localhost:8940", "http://127.0.0.1:8940/",
        "http://127.0.0.1:8940.evil.example", "file://"}) {
    WebRequest request = socket_of(target);
    request.origin = origin;
    EXPECT_EQ(status_of(request), 403u) << origin;
    request = file_of(target + "page.js");
    request.origin = origin;
    EXPECT_EQ(status_of(request), 403u) << origin;
  }
  WebRequest request = socket_of(target);
  request.origin = {};
  EXPECT_EQ(status_of(request), 403u);
}

TEST(WebDoor, ATokenIsAllOfIt) {
  std::string wrong = kToken;
  wrong.back() = '0';
  for (const std::string& token :
       {std::string(), wrong, kToken.substr(1), kToken + "0", std::string("%30") + kToken.substr(1),
        "./" + kToken, std::string("0123456789ABCDEF0123456789ABCDEF"), std::string(32, '\0')}) {
    EXPECT_EQ(status_of(socket_of("/" + token + "/")), 403u) << token;
    EXPECT_EQ(status_of(file_of("/" + token + "/")), 403u) << token;
  }
  EXPECT_EQ(status_of(socket_of("")), 403u);
  EXPECT_EQ(status_of(file_of("/page.js")), 403u);
  EXPECT_EQ(status_of(file_of("*")), 403u);
}

TEST(WebDoor, TokensAreNewEachTime) {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) {
    const std::string token = lsp::new_token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 100u);
}

TEST(WebDoor, ARefusalSaysWhatToDo) {
  const WebDoor door(8940, kToken, true);
  const std::string text = door.answer(file_of("/old/")).text;
  EXPECT_EQ(text.substr(text.find("\r\n\r\n") + 4),
            "the address has no token, or that of another run: open the address that `komuz lsp` "
            "printed when it began\n");
  EXPECT_EQ(text.find(kToken), std::string::npos);
}

TEST(WebDoor, FilesAreServedWithAPolicy) {
  const WebDoor door(8940, kToken, true);
  const std::string home = "/" + kToken + "/";
  EXPECT_EQ(door.address(), "http://127.0.0.1:8940" + home);
  for (const lsp::PageFile& file : lsp::page_files()) {
    const std::string text = door.answer(file_of(home + std::string(file.name))).text;
    EXPECT_TRUE(text.starts_with("HTTP/1.1 200 ")) << file.name;
    EXPECT_NE(text.find("X-Content-Type-Options: nosniff"), std::string::npos);
  }
  for (const lsp::PageFile& file : lsp::page_examples())
    EXPECT_EQ(status_of(file_of(home + "examples/" + std::string(file.name))), 200u) << file.name;
  EXPECT_EQ(status_of(file_of(home + "palette.css")), 200u);
  for (const std::string_view name :
       {"../", "page", "page.js/", "examples/", "examples/../page.js", "%2e%2e/x", "/etc/passwd"})
    EXPECT_EQ(status_of(file_of(home + std::string(name))), 404u) << name;
  EXPECT_EQ(status_of(file_of("/" + kToken)), 404u);
  WebRequest post = file_of(home);
  post.method = "POST";
  EXPECT_EQ(status_of(post), 405u);
}

// The mark in the page is the one in its policy, and another one each time.
TEST(WebDoor, ThePageHasANonceOfItsOwn) {
  const WebDoor door(8940, kToken, true);
  std::set<std::string> nonces;
  for (int k = 0; k < 3; ++k) {
    const std::string text = door.answer(file_of("/" + kToken + "/")).text;
    constexpr std::string_view kNonce = "'nonce-";
    const std::string nonce = text.substr(text.find(kNonce) + kNonce.size(), 32);
    EXPECT_NE(text.find("=\"" + nonce + "\"", text.find("\r\n\r\n")), std::string::npos);
    EXPECT_EQ(text.find("{nonce}"), std::string::npos);
    EXPECT_NE(nonce, kToken);
    nonces.insert(nonce);
  }
  EXPECT_EQ(nonces.size(), 3u);
}

TEST(WebDoor, WithoutAPageThereAreNoFiles) {
  const WebDoor door(8940, kToken, false);
  EXPECT_EQ(door.address(), "ws://127.0.0.1:8940/" + kToken + "/");
  EXPECT_EQ(status_of(file_of("/" + kToken + "/"), false), 404u);
  EXPECT_EQ(status_of(file_of("/" + kToken + "/page.js"), false), 404u);
}

}  // namespace
}  // namespace komuz::lsp_test
