// SPDX-License-Identifier: Apache-2.0
#include "lsp/capabilities.h"

namespace komuz::lsp {
namespace {

Json is_there() { return true; }
Json diagnostic_options() {
  return {
      {"identifier", "komuz"}, {"interFileDependencies", true}, {"workspaceDiagnostics", false}};
}
Json completion_options() { return {{"triggerCharacters", {"."}}, {"resolveProvider", true}}; }
Json signature_options() { return {{"triggerCharacters", {"(", ","}}}; }
Json action_options() { return {{"codeActionKinds", {"quickfix", "source.fixAll.komuz"}}}; }
Json token_options() {
  const Json types = {
#define TOKEN_TYPE(Name, word) word,
#include "lsp/answers/token_legend.def"
  };
  const Json modifiers = {
#define TOKEN_MODIFIER(Name, word) word,
#include "lsp/answers/token_legend.def"
  };
  return {{"legend", {{"tokenTypes", types}, {"tokenModifiers", modifiers}}},
          {"full", {{"delta", true}}},
          {"range", true}};
}

}  // namespace

Json initialize_result(const Client& client, std::string_view version) {
  // TextDocumentSyncKind of the protocol.
  constexpr u32 kIncremental = 2;
  Json can = {
      {"positionEncoding", encoding_name(client.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}, {"save", true}}}};
  const auto announce = [&](std::string_view provider, const Json& options) {
    if (!provider.empty()) can[std::string(provider)] = options;
  };
#define REQUEST(method, answer, provider, options, what) announce(provider, options());
#include "lsp/wire/methods.def"
  return {{"capabilities", std::move(can)},
          {"serverInfo", {{"name", "komuz"}, {"version", version}}}};
}

}  // namespace komuz::lsp
