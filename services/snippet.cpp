// SPDX-License-Identifier: Apache-2.0
#include "services/snippet.h"

#include <algorithm>

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"

namespace komuz::services {

namespace {

constexpr std::string_view kValue = "value_";
constexpr u32 kMostQuoted = 60;  // bytes of an input that is quoted in place of its name

// The end of a program that returns the value kept by `let`.
constexpr std::string_view kValueFoot = "\n};\nvalue_\n}\n";
constexpr u32 kNameInFoot = 4;
static_assert(kValueFoot.substr(kNameInFoot).starts_with(kValue));

// Ranges of tokens: the names between a `let` or `var` outside of brackets and its `=`.
struct TokenRange {
  Index begin, end;
};
std::vector<TokenRange> find_lets(const Columns& c, u32 begin, u32 end) {
  std::vector<TokenRange> lets;
  i32 depth = 0;
  for (Index t = 0; t < c.tokens; ++t) {
    if (c.token_start[t] < begin) continue;
    if (c.token_start[t] >= end) break;
    const Token token = frontend::token_at(c, i64{t});
    const Act act = token_row(token).act;
    depth += act == Act::Paren || act == Act::Brace;
    depth -= act == Act::Close;
    if (depth == 0 && (token == Token::Let || token == Token::Var)) lets.push_back({t, t});
    if (!lets.empty() && lets.back().begin == lets.back().end && token == Token::Assign)
      lets.back().end = t;
  }
  return lets;
}

// The variables that the snippet assigns to.
std::vector<SnippetName> changing(const Snippet& snippet) {
  std::vector<SnippetName> out;
  if (snippet.assigns)
    std::ranges::copy_if(snippet.variables, std::back_inserter(out), &SnippetName::is_var);
  return out;
}
std::string copies_of(std::span<const SnippetName> names) {
  std::string copies;
  for (const SnippetName& name : names) copies += "var " + name.name + " = " + name.name + ";\n";
  return copies;
}

std::string value_head(const Snippet& snippet) {
  return " -> () {\n" + copies_of(changing(snippet)) + std::string(snippet.before) +
         "let value_ = {\n";
}

void lay_out(const Snippet& snippet, std::string_view head, std::string_view foot,
             SnippetProgram& out, std::span<const ModuleType> module_types = {}) {
  std::string& text = out.text;
  text.clear();
  text += "pub fn ";
  text += snippet.function;
  text += '(';
  std::string_view comma;
  for (const SnippetName& variable : snippet.variables) {
    text.append(comma).append(variable.name).append(": ").append(variable.type);
    comma = ", ";
  }
  text += ')';
  text += head;
  out.begin = static_cast<u32>(text.size());
  text += snippet.text;
  out.end = static_cast<u32>(text.size());
  text += foot;
  out.items_begin = static_cast<u32>(text.size());
  text += snippet.items;
  for (const ModuleType& type : module_types)
    if (type.meaning == NameMeaning::Nothing) text += "\n" + type.use();
}

}  // namespace

void lay_out_snippet(const Snippet& snippet, SnippetProgram& out) {
  lay_out(snippet, value_head(snippet), "\n}\n}\n", out);
}

// Sorts the compiler's diagnostics by their places.
bool SnippetCompiler::take_diagnostics() {
  const auto& [text, begin, end, items_begin] = program_;
  own_.clear();
  others_.clear();
  for (Diagnostic d : compilation_.diagnostics) {
    if (d.begin >= items_begin) {
      others_.push_back(d);
      continue;
    }
    if (!is_own(d.begin)) {
      if (const auto found = find_break()) {
        d = *found;
      } else if (d.begin < begin) {  // about the function as a whole: its text stands for its name
        if (diagnostic_row(d.code()).severity == Severity::Note) continue;
        d.begin = begin;
        d.length = std::min<u32>(end - begin, kMostQuoted) & 0xF'FFFF;
      } else {  // missing parts at its end are found behind it
        d.begin = end;
      }
    }
    d.length = std::min<u32>(d.length, std::max(end - d.begin, 1u)) & 0xF'FFFF;
    const auto is_same = [&](const Diagnostic& other) {
      return other.begin == d.begin && other.code() == d.code();
    };
    if (std::ranges::none_of(own_, is_same)) own_.push_back(d);
  }
  return compilation_.ok;
}

std::optional<Diagnostic> SnippetCompiler::find_break() const {
  const Columns& c = compiler_.columns();
  const auto token = [&](Index t) {
    return std::string_view(program_.text).substr(c.token_start[t], c.token_length[t]);
  };
  const auto at = [&](DiagnosticCode code, Index t, u32 a = 0, u32 b = 0) {
    return make_diagnostic(code, c.token_start[t], c.token_length[t], a, b);
  };
  std::vector<Index> open;
  std::optional<Index> item;
  for (Index t = 0; t < c.tokens && c.token_start[t] < program_.end; ++t) {
    if (c.token_start[t] < program_.begin) continue;
    const TokenRow& row = token_row(frontend::word_at(c, t));
    if (row.act == Act::Item && !item) item = t;
    if (row.act == Act::Paren || row.act == Act::Brace) open.push_back(t);
    if (row.act != Act::Close) continue;
    if (open.empty()) return at(DiagnosticCode::UnopenedBracket, t);
    constexpr std::string_view kOpen = "([{", kClose = ")]}";
    if (kOpen.find(token(open.back())) != kClose.find(token(t)))
      return at(DiagnosticCode::MismatchedBracket, t, c.token_start[open.back()], 1);
    open.pop_back();
  }
  if (!open.empty()) return at(DiagnosticCode::UnclosedBracket, open.back());
  if (item) return at(DiagnosticCode::Unexpected, *item);
  return std::nullopt;
}

std::string_view SnippetCompiler::program_text() const {
  return compilation_.text.empty() ? program_.text : compilation_.text;
}

bool SnippetCompiler::infer(const Snippet& snippet, SnippetType& out) {
  lay_out(snippet, value_head(snippet), kValueFoot, program_);
  compiler_.compile_inferred(program_.text, compilation_);
  // A fault in a value is reported at the value and, for a slice, once more where it is returned.
  std::vector<Diagnostic>& all = compilation_.diagnostics;
  const auto is_repeated = [&](const Diagnostic& d) {
    return d.begin == program_.end + kNameInFoot;
  };
  if (all.size() > 1) std::erase_if(all, is_repeated);
  return take_diagnostics() && read_type(out);
}

bool SnippetCompiler::read_type(SnippetType& out) const {
  const Columns& c = compiler_.columns();
  out.value.clear();
  out.lets.clear();
  out.module_types.clear();
  std::vector<TokenRange> lets;
  for (u32 b = 0; b < c.binds; ++b) {
    const BindKind kind = c.bind_kind[b];
    if (kind != BindKind::Let && kind != BindKind::Var) continue;
    const Index node = c.bind_node[b];
    const u32 place = c.token_start[c.token[node]];
    const std::string name = frontend::name_text(c, node);
    if (place < program_.begin && name == kValue) {
      out.value = frontend::written_type(c, c.bind_type[b]);
      add_module_types(c, c.bind_type[b], out.module_types);
      if (out.value != "()") break;  // its `let`s are its own
      lets = find_lets(c, program_.begin, program_.end);
    }
    const auto is_in = [&](TokenRange range) {
      return range.begin < c.token[node] && c.token[node] < range.end;
    };
    if (std::ranges::none_of(lets, is_in)) continue;
    const SnippetName found{name, frontend::written_type(c, c.bind_type[b]), kind == BindKind::Var};
    std::erase_if(out.lets, [&](const SnippetName& other) { return other.name == name; });
    if (found.type.empty() || name == "_") continue;
    out.lets.push_back(found);
    add_module_types(c, c.bind_type[b], out.module_types);
  }
  return !out.value.empty();
}

bool SnippetCompiler::compile(const Snippet& snippet, const SnippetType& type) {
  const std::vector<SnippetName> changed = changing(snippet);
  if (type.lets.empty() && changed.empty()) {
    lay_out(snippet, " -> " + type.value + " {\n" + std::string(snippet.before), "\n}\n", program_,
            type.module_types);
    compiler_.compile(program_.text, compilation_);
    return take_diagnostics();
  }
  std::string types, names;
  const auto add = [&](const SnippetName& name) {
    types += name.type + ", ";
    names += name.name + ", ";
  };
  const bool has_value = type.value != "()";
  if (has_value) add({std::string(kValue), type.value});
  for (const SnippetName& let : type.lets) add(let);
  for (const SnippetName& name : changed) add(name);
  lay_out(snippet,
          " -> (" + types + ") {\n" + copies_of(changed) + (has_value ? "let value_ = {\n" : ""),
          (has_value ? "\n}\n(" : "\n(") + names + ")\n}\n", program_, type.module_types);
  compiler_.compile(program_.text, compilation_);
  return take_diagnostics();
}

}  // namespace komuz::services
