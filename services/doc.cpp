// SPDX-License-Identifier: Apache-2.0
#include "services/doc.h"

#include <nlohmann/json.hpp>

#include "frontend_gpu/item_tokens.h"
#include "lang/builtins.h"

namespace komuz::services {
namespace {

using frontend::Columns;
using frontend::Index;
using frontend::ItemKind;
using frontend::kNone;

std::string type_names(TypeSet types) {
  std::string out;
  for (u8 s = 1; s < kScalarCount; ++s) {
    const auto scalar = static_cast<Scalar>(s);
    if ((types & type_bit(scalar)) == 0) continue;
    out += (out.empty() ? "" : ", ") + std::string(scalar_name(scalar));
  }
  return out;
}

// `clamp(T, T, T) -> T` with what T may be; where that is one type, its name.
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

std::string_view text_of(const Columns& c, Index t) {
  return {reinterpret_cast<const char*>(c.source) + c.token_start[t], c.token_length[t]};
}
// Tokens with one blank where there are any between them.
std::string on_one_line(const Columns& c, Index first, Index end) {
  std::string out;
  for (Index t = first; t < end; ++t) {
    if (t != first && c.token_start[t] != c.token_start[t - 1] + c.token_length[t - 1]) out += ' ';
    out += text_of(c, t);
  }
  while (out.ends_with(';') || out.ends_with(' ')) out.pop_back();
  return out;
}
std::string_view without_blanks(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

// The lines `/// …` right above the one that starts at or around `place`.
std::string comment_above(std::string_view source, u32 place) {
  size_t line = source.rfind('\n', place);
  std::string out;
  while (line != std::string_view::npos) {
    const size_t before = line == 0 ? std::string_view::npos : source.rfind('\n', line - 1);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view text = without_blanks(source.substr(begin, line - begin));
    if (!text.starts_with("///")) break;
    out = std::string(text.substr(text.starts_with("/// ") ? 4 : 3)) + "\n" + out;
    line = before;
  }
  return out;
}

// Where the words that say what an item is end.
Index signature_end(const Columns& c, Index item, Index end) {
  if (c.item_kind[item] != ItemKind::Function) return end;
  const Index body = c.item_body[item];
  const bool has_body = body != kNone && frontend::node_kind(c, body) == Node::Body;
  return has_body ? Index{c.token[c.right[body]]} : end;
}

// Of an operation on elements, Options or chains, whose row begins with how it is written: `xs.get(i): …`.
DocEntry operation_docs(std::string_view name, std::string_view documentation) {
  const size_t end = documentation.find(": ");
  if (end == std::string_view::npos)
    return {std::string(name), "", std::string(name), std::string(documentation) + "\n"};
  return {std::string(name), "", std::string(documentation.substr(0, end)),
          std::string(documentation.substr(end + 2)) + "\n"};
}

}  // namespace

std::vector<DocEntry> builtin_docs(std::string_view name) {
  std::vector<DocEntry> found;
  for (const BuiltinRow& row : kBuiltins)
    if (row.name == name)
      found.push_back(
          {std::string(name), "", builtin_signature(row), std::string(row.documentation) + "\n"});
  for (u32 k = 0; k < kConstantCount; ++k) {
    const ConstantRow& row = builtin_constant(k);
    if (row.name != name) continue;
    const std::string type(row.type == Scalar::None ? "f64 or f32" : scalar_name(row.type));
    found.push_back({std::string(name), "", "const " + std::string(name) + ": " + type,
                     std::string(row.documentation) + "\n"});
  }
  for (u32 k = 0; k < kCollectionCount; ++k)
    if (const CollectionRow& row = collection_row(k); row.name == name)
      found.push_back(operation_docs(name, row.documentation));
  for (u32 k = 0; k < kChainCount; ++k)
    if (const ChainRow& row = chain_row(static_cast<ChainOp>(k)); row.name == name)
      found.push_back(operation_docs(name, row.documentation));
  return found;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const BuiltinRow& row : kBuiltins) names.push_back(row.name);
  for (u32 k = 0; k < kConstantCount; ++k) names.push_back(builtin_constant(k).name);
  for (u32 k = 0; k < kCollectionCount; ++k) names.push_back(collection_row(k).name);
  for (u32 k = 0; k < kChainCount; ++k) names.push_back(chain_row(static_cast<ChainOp>(k)).name);
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
    entry.name = text_of(c, c.token[name]);
    entry.module = path;
    entry.signature = on_one_line(c, tokens.first, signature_end(c, item, tokens.end));
    entry.text = comment_above(text, c.token_start[tokens.first]);
  }
  return entries;
}

std::string module_summary(std::string_view text) {
  std::string out;
  while (text.starts_with("//")) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += without_blanks(text.substr(2, end - 2));
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string render_doc(const DocEntry& entry) {
  std::string out = entry.signature + "\n";
  out += entry.module.empty() ? "    built in\n" : "    use " + entry.module + ";\n";
  return out + "\n" + entry.text;
}

std::string render_doc_line(const DocEntry& entry) {
  const size_t line = std::min(entry.text.find('\n'), entry.text.size());
  const size_t sentence = std::min(entry.text.find(". "), line);
  return entry.signature + "\n    " + entry.text.substr(0, sentence) +
         (sentence < line ? "." : "") + "\n";
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
