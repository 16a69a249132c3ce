// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/kinds.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/editor/outline.h"

namespace komuz::lsp {
namespace {

using services::OutlineNode;

Json symbol_json(const Document& document, const OutlineNode& node, u32 kind, Encoding encoding) {
  Json symbol = {
      {"name", node.name},
      {"kind", kind},
      {"range", range_json(document, {node.begin, node.end}, encoding)},
      {"selectionRange", range_json(document, {node.name_begin, node.name_end}, encoding)}};
  if (!node.detail.empty()) symbol["detail"] = node.detail;
  Json children = Json::array();
  for (const OutlineNode& child : node.children)
    children.push_back(symbol_json(document, child, symbol_kind(child.kind), encoding));
  if (!children.empty()) symbol["children"] = std::move(children);
  return symbol;
}

void add_flat(const Document& document, const OutlineNode& node, u32 kind,
              const std::string& container, Encoding encoding, Json& out) {
  Json symbol = {
      {"name", node.name},
      {"kind", kind},
      {"location",
       {{"uri", document.uri}, {"range", range_json(document, {node.begin, node.end}, encoding)}}}};
  if (!container.empty()) symbol["containerName"] = container;
  out.push_back(std::move(symbol));
  for (const OutlineNode& child : node.children)
    add_flat(document, child, symbol_kind(child.kind), node.name, encoding, out);
}

}  // namespace

Outcome answer_symbols(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const Encoding encoding = question.client.encoding;
  Json symbols = Json::array();
  for (const OutlineNode& node : services::outline(question.workspace.analyse(document))) {
    if (question.client.has_symbol_tree)
      symbols.push_back(symbol_json(document, node, symbol_kind(node.form), encoding));
    else
      add_flat(document, node, symbol_kind(node.form), "", encoding, symbols);
  }
  return symbols;
}

}  // namespace komuz::lsp
