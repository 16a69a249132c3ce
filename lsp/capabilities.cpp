// SPDX-License-Identifier: Apache-2.0
#include "lsp/capabilities.h"

namespace komuz::lsp {
namespace {

Json is_there() { return true; }
Json diagnostic_options() {
  return {{"identifier", "komuz"},
          {"interFileDependencies", true},
          {"workspaceDiagnostics", true},
          {"workDoneProgress", true}};
}
Json completion_options() { return {{"triggerCharacters", {".", "/"}}, {"resolveProvider", true}}; }
Json rename_options() { return {{"prepareProvider", true}}; }
Json link_options() { return {{"resolveProvider", false}}; }
Json hint_options() { return {{"resolveProvider", true}}; }
Json typing_options() { return {{"firstTriggerCharacter", "}"}, {"moreTriggerCharacter", {"\n"}}}; }
Json signature_options() { return {{"triggerCharacters", {"(", ","}}}; }
Json action_options() {
  Json kinds = {"quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll.komuz",
                "source.organizeImports"};
#define REFACTORING(Name, function, kind, title, what) kinds.push_back(kind);
#include "services/refactor/refactorings.def"
  return {{"codeActionKinds", std::move(kinds)}, {"resolveProvider", true}};
}
Json command_options() {
  return {{"commands",
           {
#define COMMAND(name, function, what) name,
#define SESSION_COMMAND(name, what) name,
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
  return {{"legend", {{"tokenTypes", types}, {"tokenModifiers", modifiers}}},
          {"full", {{"delta", true}}},
          {"range", true}};
}

// The files that the client tells about: modules, and folders, in which modules may lie.
Json file_operations() {
  const Json files = {{"scheme", "file"},
                      {"pattern", {{"glob", "**/*.komuz"}, {"matches", "file"}}}};
  const Json folders = {{"scheme", "file"}, {"pattern", {{"glob", "**"}, {"matches", "folder"}}}};
  const Json of_both = {{"filters", Json::array({files, folders})}};
  return {{"willRename", of_both},
          {"didRename", of_both},
          {"didCreate", of_both},
          {"didDelete", of_both}};
}

}  // namespace

Json initialize_result(const Client& client, std::string_view version) {
  // TextDocumentSyncKind of the protocol.
  constexpr u32 kIncremental = 2;
  Json can = {
      {"positionEncoding", encoding_name(client.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}, {"save", true}}}};
  if (client.has_file_operations) can["workspace"]["fileOperations"] = file_operations();
  can["workspace"]["workspaceFolders"] = {{"supported", true}, {"changeNotifications", true}};
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
