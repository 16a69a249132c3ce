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
Json rename_options() { return {{"prepareProvider", true}}; }
Json link_options() { return {{"resolveProvider", false}}; }
Json hint_options() { return {{"resolveProvider", true}}; }
Json typing_options() { return {{"firstTriggerCharacter", "}"}, {"moreTriggerCharacter", {"\n"}}}; }
Json signature_options() { return {{"triggerCharacters", {"(", ","}}}; }
Json action_options() {
  return {{"codeActionKinds",
           {"quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll.komuz"}}};
}
Json command_options() {
  return {{"commands",
           {
#define COMMAND(name, function, what) name,
#include "lsp/answers/commands.def"
           }}};
}
Json lens_options() { return {{"resolveProvider", true}}; }
Json token_options() {
  const Json types = {
#define TOKEN_TYPE(Name, word) word,
#include "lsp/answers/token_legend.def"
  };
  const Json modifiers = {
#define TOKEN_MODIFIER(Name, word) word,
#include "lsp/answers/token_legend.def"
  };
  return {{"legend", {{"tokenTypes", types}, {"tokenModifiers", modifiers}}}, {"full", true}};
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
  // Its own view has a command of that name.
  if (client.shows_rankings)
    if (Json& commands = can["executeCommandProvider"]["commands"]; commands.is_array())
      std::erase(commands.get_ref<Json::array_t&>(), Json("komuz.showRanking"));
  // Options are for clients that ask before they rename.
  if (!client.can_prepare_rename) can["renameProvider"] = true;
  return {{"capabilities", std::move(can)},
          {"serverInfo", {{"name", "komuz"}, {"version", version}}}};
}

}  // namespace komuz::lsp
