// SPDX-License-Identifier: Apache-2.0
#include "lsp/client/client.h"

#include <algorithm>
#include <string_view>

#include "lsp/text/uri.h"

namespace komuz::lsp {
namespace {

// A member by its path; what is not there, or is something else, is null.
const Json& at(const Json& value, std::string_view path) {
  const Json* here = &value;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    here = &member(*here, name);
  }
  return *here;
}
bool is_true(const Json& value, std::string_view path) { return at(value, path) == true; }
bool lists(const Json& value, std::string_view path, const Json& wanted) {
  const Json& list = at(value, path);
  return list.is_array() && std::ranges::find(list, wanted) != list.end();
}

// The one that is least work here, of those that the client takes.
Encoding chosen_encoding(const Json& client) {
  for (const Encoding encoding : {Encoding::Utf8, Encoding::Utf32})
    if (lists(client, "general.positionEncodings", encoding_name(encoding))) return encoding;
  return Encoding::Utf16;
}

std::vector<std::string> folders_of(const Json& initialize) {
  std::vector<std::string> folders;
  const auto add = [&](const Json& uri) {
    std::string path = folder_path(uri);
    if (!path.empty() && std::ranges::find(folders, path) == folders.end())
      folders.push_back(std::move(path));
  };
  if (const Json& list = at(initialize, "workspaceFolders"); list.is_array())
    for (const Json& folder : list) add(at(folder, "uri"));
  if (folders.empty()) add(at(initialize, "rootUri"));
  const Json& path = at(initialize, "rootPath");
  if (folders.empty() && path.is_string()) folders.push_back(path.get<std::string>());
  return folders;
}

}  // namespace

std::string folder_path(const Json& uri) {
  if (!uri.is_string()) return {};
  std::string path = path_of_uri(uri.get<std::string>()).value_or("");
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Client read_client(const Json& initialize) {
  Client client;
  const Json& can = at(initialize, "capabilities");
  client.encoding = chosen_encoding(can);
  client.folders = folders_of(initialize);
  if (const Json& process = at(initialize, "processId"); process.is_number_integer())
    client.process = process.get<i64>();
  const Json& text = at(can, "textDocument");
  client.has_markdown_hover = lists(text, "hover.contentFormat", "markdown");
  client.has_markdown_completion =
      lists(text, "completion.completionItem.documentationFormat", "markdown");
  const Json& item = at(text, "completion.completionItem");
  client.has_snippets = is_true(item, "snippetSupport");
  client.has_label_details = is_true(item, "labelDetailsSupport");
  client.resolves_completion_edits =
      lists(item, "resolveSupport.properties", "additionalTextEdits");
  client.has_markdown_signature =
      lists(text, "signatureHelp.signatureInformation.documentationFormat", "markdown");
  client.has_parameter_offsets =
      is_true(text, "signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport");
  client.has_symbol_tree = is_true(text, "documentSymbol.hierarchicalDocumentSymbolSupport");
  client.has_versioned_edits = is_true(can, "workspace.workspaceEdit.documentChanges");
  client.has_action_literals = at(text, "codeAction.codeActionLiteralSupport").is_object();
  const Json& kinds = at(text, "codeAction.codeActionLiteralSupport.codeActionKind.valueSet");
  if (kinds.is_array())
    for (const Json& kind : kinds)
      if (kind.is_string()) client.action_kinds.push_back(kind.get<std::string>());
  client.resolves_action_edits = lists(text, "codeAction.resolveSupport.properties", "edit") &&
                                 is_true(text, "codeAction.dataSupport");
  client.has_preferred_actions = is_true(text, "codeAction.isPreferredSupport");
  client.can_prepare_rename = is_true(text, "rename.prepareSupport");
  client.resolves_hint_edits = lists(text, "inlayHint.resolveSupport.properties", "textEdits");
  client.resolves_hint_places =
      lists(text, "inlayHint.resolveSupport.properties", "label.location");
  client.folds_lines_only = is_true(text, "foldingRange.lineFoldingOnly");
  const Json& retried = at(can, "general.staleRequestSupport.retryOnContentModified");
  if (retried.is_array())
    for (const Json& method : retried)
      if (method.is_string()) client.retried.push_back(method.get<std::string>());
  client.has_file_operations = at(can, "workspace.fileOperations").is_object();
  client.has_settings = is_true(can, "workspace.configuration");
  client.first_settings = at(initialize, "initializationOptions.komuz");
  client.has_progress = is_true(can, "window.workDoneProgress");
  client.registers.watched_files =
      is_true(can, "workspace.didChangeWatchedFiles.dynamicRegistration");
  client.registers.configuration =
      is_true(can, "workspace.didChangeConfiguration.dynamicRegistration");
  client.has_lenses = at(text, "codeLens").is_object();
  client.refreshes_hints = is_true(can, "workspace.inlayHint.refreshSupport");
  client.refreshes_tokens = is_true(can, "workspace.semanticTokens.refreshSupport");
  client.refreshes_lenses = is_true(can, "workspace.codeLens.refreshSupport");
  client.shows_rankings = is_true(initialize, "initializationOptions.komuz.ranking");
  const Json& push = at(text, "publishDiagnostics");
  client.diagnostics.related = is_true(push, "relatedInformation");
  client.diagnostics.version = is_true(push, "versionSupport");
  client.diagnostics.description = is_true(push, "codeDescriptionSupport");
  client.diagnostics.data = is_true(push, "dataSupport");
  client.diagnostics.refresh = is_true(can, "workspace.diagnostics.refreshSupport");
  client.diagnostics.unneeded =
      lists(push, "tagSupport.valueSet", 1) || is_true(push, "tagSupport");
  return client;
}

}  // namespace komuz::lsp
