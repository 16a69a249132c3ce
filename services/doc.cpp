// SPDX-License-Identifier: Apache-2.0
#include "services/doc.h"

#include <nlohmann/json.hpp>

#include "services/display_text.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

using frontend::ItemKind;

std::string type_names(TypeSet types) {
  std::string out;
  for (u8 s = 1; s < kScalarCount; ++s) {
    const auto scalar = static_cast<Scalar>(s);
    if ((types & type_bit(scalar)) == 0) continue;
    out += (out.empty() ? "" : ", ") + std::string(scalar_name(scalar));
  }
  return out;
}

// `clamp(T, T, T) -> T` with the possible types T; if there is only one, its name.
std::string builtin_signature(const BuiltinRow& row) {
  const u32 arity = builtin_arity(row);
  const bool has_one = only_type(row) != Scalar::None;
  const std::string type(has_one ? scalar_name(only_type(row)) : "T");
  std::string out = std::string(row.name) + "(" + type;
  for (u32 k = 1; k < arity; ++k)
    out += ", " + (row.shape == BuiltinShape::Shift ? "integer" : type);
  out += ") -> ";
  switch (row.shape) {
    case BuiltinShape::Same:
    case BuiltinShape::Shift: out += type; break;
    case BuiltinShape::Predicate: out += "bool"; break;
    case BuiltinShape::ToI64: out += "i64"; break;
    case BuiltinShape::Convert:
    case BuiltinShape::Wrap: out += scalar_name(row.target); break;
    case BuiltinShape::Exact: out += "Option[" + std::string(scalar_name(row.target)) + "]"; break;
    case BuiltinShape::Bits: out += "the unsigned type of as many bits"; break;
    case BuiltinShape::FromBits: out += "the float of as many bits"; break;
  }
  return has_one ? out : out + ", T one of " + type_names(row.types);
}

// For an operation on elements, Options or chains, whose row begins with its form: `xs.get(i): …`.
DocEntry operation_doc(std::string_view name, std::string_view documentation) {
  const size_t end = documentation.find(": ");
  if (end == std::string_view::npos)
    return {std::string(name), "", std::string(name), std::string(documentation) + "\n"};
  return {std::string(name), "", std::string(documentation.substr(0, end)),
          std::string(documentation.substr(end + 2)) + "\n"};
}

}  // namespace

DocEntry builtin_doc(const BuiltinRow& row) {
  return {std::string(row.name), "", builtin_signature(row), std::string(row.documentation) + "\n"};
}
DocEntry builtin_doc(const ConstantRow& row) {
  const std::string type(row.type == Scalar::None ? "f64 or f32" : scalar_name(row.type));
  return {std::string(row.name), "", "const " + std::string(row.name) + ": " + type,
          std::string(row.documentation) + "\n"};
}
DocEntry builtin_doc(const CollectionRow& row) {
  return operation_doc(row.name, row.documentation);
}
DocEntry builtin_doc(const ChainRow& row) { return operation_doc(row.name, row.documentation); }

std::vector<DocEntry> builtin_docs(std::string_view name) {
  std::vector<DocEntry> found;
  for (const BuiltinRow& row : kBuiltins)
    if (row.name == name) found.push_back(builtin_doc(row));
  for (u32 k = 0; k < kConstantCount; ++k)
    if (builtin_constant(k).name == name) found.push_back(builtin_doc(builtin_constant(k)));
  for (u32 k = 0; k < kCollectionCount; ++k)
    if (const CollectionRow& row = collection_row(k); row.name == name)
      found.push_back(builtin_doc(row));
  for (u32 k = 0; k < kChainCount; ++k)
    if (const ChainRow& row = chain_row(static_cast<ChainOp>(k)); row.name == name)
      found.push_back(builtin_doc(row));
  return found;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const BuiltinRow& row : kBuiltins) names.push_back(row.name);
  for (u32 k = 0; k < kConstantCount; ++k) names.push_back(builtin_constant(k).name);
  for (u32 k = 0; k < kCollectionCount; ++k) names.push_back(collection_row(k).name);
  for (u32 k = 0; k < kNamedChains; ++k) names.push_back(chain_row(static_cast<ChainOp>(k)).name);
  return names;
}

std::vector<DocEntry> module_docs(frontend::Compiler& compiler, std::string_view path,
                                  std::string_view text) {
  frontend::Compilation compilation;
  compiler.compile(text, compilation);
  const Columns& c = compiler.columns();
  std::vector<DocEntry> entries;
  if (c.nodes == 0) return entries;
  const std::vector<Index> first_nodes = frontend::find_first_nodes(c);
  for (Index item = 0; item < c.items; ++item) {
    const Index name = c.item_name[item];
    if (c.item_public[item] == 0 || name == kNone) continue;
    const auto tokens = frontend::tokens_of(c, first_nodes, item);
    DocEntry& entry = entries.emplace_back();
    entry.name = text_of_token(c, c.token[name]);
    entry.module = path;
    entry.signature = on_one_line(c, signature_tokens(c, item, tokens));
    entry.text = comment_above(text, c.token_start[tokens.first]);
  }
  return entries;
}

std::string module_summary(std::string_view text) {
  std::string out;
  // `///` is about the item below it.
  while (text.starts_with("//") && !text.starts_with("///")) {
    const size_t end = std::min(text.find('\n'), text.size());
    const size_t first = std::min(text.find_first_not_of(" \t\r", 2), end);
    out += text.substr(first, end - first);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string render_doc(const DocEntry& entry) {
  std::string out = entry.signature + "\n";
  out += entry.module.empty() ? "    built in\n" : "    use " + entry.module + ";\n";
  return printable_lines(out + "\n" + entry.text);
}

std::string render_doc_line(const DocEntry& entry) {
  return printable_lines(entry.signature + "\n    " + first_sentence(entry.text) + "\n");
}

nlohmann::ordered_json doc_json(const DocEntry& entry) {
  nlohmann::ordered_json object;
  object["name"] = entry.name;
  object["module"] = nullptr;
  if (!entry.module.empty()) object["module"] = entry.module;
  object["signature"] = entry.signature;
  object["text"] = entry.text;
  return object;
}

}  // namespace komuz::services
