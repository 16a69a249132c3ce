// SPDX-License-Identifier: Apache-2.0
#include "services/counterexample.h"

#include <algorithm>
#include <vector>

#include "frontend_gpu/expand.h"
#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/view.h"
#include "lang/type_codes.h"
#include "services/format.h"
#include "services/item_text.h"

namespace komuz::services {

using frontend::Columns;
using frontend::Index;

namespace {

// The name of a property and its block, with quotes and braces; both empty if there is none.
struct PropertyText {
  std::string_view name, block;
};
PropertyText find_property(const Columns& c, std::string_view source, u32 place) {
  for (Index item = 0; item < c.items; ++item) {
    const Index name = c.item_name[item], body = c.item_body[item];
    const bool is_property = c.item_kind[item] == frontend::ItemKind::Prop &&
                             name != frontend::kNone && body != frontend::kNone;
    if (!is_property || c.token_start[c.token[name]] != place) continue;
    const frontend::Span block = frontend::subtree_span(c, c.right[body]);
    return {source.substr(place, frontend::node_length(c, name)),
            source.substr(block.begin, block.end - block.begin)};
  }
  return {};
}

// The end of a word or quoted text that starts at `at`; otherwise of the single character there.
size_t piece_end(std::string_view text, size_t at) {
  const char first = text[at];
  size_t end = at + 1;
  if (first == '"' || first == '\'') {
    while (end < text.size() && text[end] != first) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  while (is_word_byte(first) && end < text.size() && is_word_byte(text[end])) ++end;
  return end;
}
bool has_public(const Module& module, std::string_view name) {
  return std::ranges::find(module.public_names, name) != module.public_names.end();
}

// How a program names the types and constructors of modules.
class ModuleNames {
 public:
  ModuleNames(const Columns& c, const Library& library) : c_(c), library_(library) {
    if (c.nodes == 0) return;
    const std::vector<Index> first_nodes = frontend::find_first_nodes(c);
    for (Index item = 0; item < c.items; ++item) {
      if (c.item_kind[item] != frontend::ItemKind::Use) continue;
      const frontend::TokenRange tokens = frontend::tokens_of(c, first_nodes, item);
      std::string path;
      for (Index t = tokens.first + 1; t < tokens.end && token_text(t) != ";"; ++t)
        path += token_text(t);
      if (const u32 module = library.find(path); module != kNoModule) used_.push_back(module);
    }
    needed_ = frontend::needed_modules(library, frontend::list_paths(c));
  }

  // `P(x: 1)` becomes `point.P(x: 1)`.
  [[nodiscard]] std::string qualify(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
      const std::string_view piece = text.substr(at, piece_end(text, at) - at);
      if (piece[0] >= 'A' && piece[0] <= 'Z') out += prefix_of(piece);
      out += piece;
      at += piece.size();
    }
    return out;
  }
  // The `use` items that the names need, one on each line.
  [[nodiscard]] const std::string& missing_uses() const { return missing_uses_; }

 private:
  [[nodiscard]] std::string_view token_text(Index t) const {
    return {reinterpret_cast<const char*>(c_.source) + c_.token_start[t], c_.token_length[t]};
  }
  // True if the program itself, or a `use` that lists it, binds the name.
  [[nodiscard]] bool is_bound(std::string_view name) const {
    for (u32 b = 0; b < c_.binds; ++b)
      if (token_text(c_.token[c_.bind_node[b]]) == name) return true;
    return false;
  }
  std::string prefix_of(std::string_view name) {
    if (is_bound(name)) return "";
    for (const u32 module : used_) {
      const std::string& path = library_[module].path;
      if (has_public(library_[module], name)) return path.substr(path.rfind('.') + 1) + ".";
    }
    for (const u32 module : needed_) {
      if (!has_public(library_[module], name)) continue;
      const std::string use = "use " + library_[module].path + ".{" + std::string(name) + "};\n";
      if (missing_uses_.find(use) == std::string::npos) missing_uses_ += use;
      break;
    }
    return "";
  }

  const Columns& c_;
  const Library& library_;
  std::vector<u32> used_;    // modules that the program knows by name
  std::vector<u32> needed_;  // modules that the names need as well
  std::string missing_uses_;
};

}  // namespace

std::vector<ParameterValue> named_arguments(const CodeView& code, u32 function,
                                            std::string_view types, std::span<const u64> cells,
                                            engine::ValueStyle style) {
  std::vector<ParameterValue> values;
  const Function& f = code.functions[function];
  for (size_t at = 2; at < types.size() && !cells.empty();) {
    const size_t end = skip_type(types, at);
    const std::string_view type = types.substr(at, end - at);
    const NameRange name = code.parameter_names[f.parameters_begin + values.size()];
    ParameterValue& value = values.emplace_back();
    value.name = code.names.substr(name.begin, name.end - name.begin);
    value.type = type_text(type, RecordText::Name);
    const size_t count = count_cells(type);
    engine::print_value(value.value, type, cells.first(count), style);
    cells = cells.subspan(count);
    at = end;
  }
  return values;
}

std::vector<ParameterValue> failing_arguments(const CodeView& code,
                                              const engine::TestResult& result,
                                              engine::ValueStyle style) {
  return named_arguments(code, result.function, result.argument_types, result.arguments, style);
}

std::string counterexample_test(std::string_view source, u32 place,
                                std::span<const ParameterValue> values, const Library& library) {
  frontend::Compiler compiler;
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  if (compiler.columns().nodes == 0) return "";
  const PropertyText property = find_property(compiler.columns(), source, place);
  if (property.block.empty()) return "";
  ModuleNames names(compiler.columns(), library);
  std::string test = "test " + std::string(property.name) + " {\n";
  for (const ParameterValue& p : values)
    test += "let " + p.name + ": " + names.qualify(p.type) + " = " + names.qualify(p.value) + ";\n";
  test += property.block.substr(1);
  return format(compiler, names.missing_uses() + test).text;
}

std::string outcome_test(std::string_view source, std::string_view function,
                         std::span<const ParameterValue> values, const CallOutcome& outcome,
                         const Library& library) {
  frontend::Compiler compiler;
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  ModuleNames names(compiler.columns(), library);
  std::string call = std::string(function) + "(";
  for (const ParameterValue& p : values)
    call += (&p == values.data() ? "" : ", ") + names.qualify(p.value);
  call += ")";
  std::string text = "test \"" + std::string(function) + " on one input\" {\nassert ";
  if (outcome.trap != Trap::None) {
    text += "traps(" + call + ", " + std::string(trap_name(outcome.trap)) + ")";
  } else {
    std::string value;
    engine::print_value(value, outcome.type, outcome.value, engine::ValueStyle::Source);
    value = names.qualify(value);
    // `==` takes no NaN for itself, and both zeros for one.
    std::vector<Scalar> cells;
    engine::append_cell_types(outcome.type, cells);
    const bool has_floats = std::ranges::any_of(cells, is_float);
    text += has_floats ? "cmp(" + call + ", " + value + ") == 0" : call + " == " + value;
  }
  return format(compiler, names.missing_uses() + text + ";\n}\n").text;
}

}  // namespace komuz::services
