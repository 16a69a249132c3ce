// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/dump.h"

#include <algorithm>
#include <vector>

#include "frontend_gpu/names/names.h"
#include "frontend_gpu/questions/type_relations.h"
#include "lang/builtins.h"

namespace komuz::frontend {

namespace {

constexpr std::string_view kTokenNames[] = {
#define TOKEN(Name, spelling, act, infix, alone, ends) #Name,
#include "lang/tokens.def"
};
constexpr std::string_view kNodeNames[] = {
#define NODE(Name, spelling, level, side, cls, op, children) #Name,
#include "lang/nodes.def"
};
constexpr std::string_view kContextNames[] = {
#define CONTEXT(Name, name) #Name,
#include "frontend_gpu/columns/grammar.def"
};
std::string_view token_name(Token t) { return kTokenNames[static_cast<u8>(t)]; }
std::string_view node_name(Node n) { return kNodeNames[static_cast<u8>(n)]; }
std::string_view context_name(Context c) { return kContextNames[static_cast<u8>(c)]; }
std::string_view bind_name(BindKind k) {
  switch (k) {
    case BindKind::Function: return "fn";
    case BindKind::Constant: return "const";
    case BindKind::Type: return "type";
    case BindKind::Constructor: return "constructor";
    case BindKind::Import: return "import";
    case BindKind::Module: return "module";
    case BindKind::Parameter: return "parameter";
    case BindKind::Let: return "let";
    case BindKind::Var: return "var";
    case BindKind::For: return "for";
    case BindKind::Pattern: return "pattern";
    case BindKind::Lambda: return "lambda";
    case BindKind::Limit: return "limit";
    case BindKind::Match: return "match";
  }
  return "?";
}

class Printer {
 public:
  Printer(const Columns& c, std::string_view source) : c_(c), source_(source) {
    for (u32 k = 0; k < source.size(); ++k)
      if (source[k] == '\n') line_starts_.push_back(k + 1);
  }

  std::string print(DumpPhase phase) {
    switch (phase) {
      case DumpPhase::Tokens: tokens(); break;
      case DumpPhase::Tree: tree(false); break;
      case DumpPhase::Names: names(); break;
      case DumpPhase::Types: tree(true); break;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] Place place_at(u32 offset) const {
    const auto behind = std::ranges::upper_bound(line_starts_, offset);
    return {static_cast<u32>(behind - line_starts_.begin()), offset - *std::prev(behind) + 1};
  }
  void place(u32 offset) {
    const Place p = place_at(offset);
    std::string text = std::to_string(p.line) + ":" + std::to_string(p.column);
    text.resize(text.size() < 8 ? 8 : text.size() + 1, ' ');
    out_ += text;
  }
  std::string_view text_of(Index t) const {
    return source_.substr(c_.token_start[t], c_.token_length[t]);
  }
  std::string_view node_words(Index i) const { return text_of(c_.token[i]); }

  void tokens() {
    for (Index t = 0; t < c_.tokens; ++t) {
      place(c_.token_start[t]);
      std::string kind(token_name(token_at(c_, t)));
      kind.resize(14, ' ');
      out_ += kind;
      out_ += text_of(t);
      if ((c_.token_kind[t] & kFirstOnLine) != 0) out_ += "  (first on its line)";
      out_ += '\n';
    }
  }

  std::string type_words(TypeId type) const {
    switch (type) {
      case kTypePending: return "-";
      case kTypeNever: return "never";
      case kTypeError: return "error";
      case kTypeList: return "values";
      case kTypeUnlike: return "unlike branches";
      case kTypeStatement: return "statement";
      default: break;
    }
    const Spelling s = spell(c_, settled(type));
    if (!s.fits()) return "a large tuple";
    return type_text({reinterpret_cast<const char*>(s.codes), s.length});
  }

  // A pattern has no value, but the names that it binds have types. The type passes leave idle nodes out.
  [[nodiscard]] TypeId type_of_node(Index i) const {
    if (name_role(node_context(c_, i)) == NameRole::Bind)
      return node_kind(c_, i) == Node::Name ? c_.bind_type[c_.ref[i]] : kTypeUnit;
    return is_idle(c_.role[i]) ? kTypeUnit : c_.type[i];
  }

  // Walks from the root down, the left child before the right one, without recursion.
  void tree(bool types) {
    if (c_.nodes == 0) return;
    struct Entry {
      Index node;
      u32 depth;
    };
    std::vector<Entry> open{{c_.order[c_.nodes - 1], 0}};
    while (!open.empty()) {
      const auto [i, depth] = open.back();
      open.pop_back();
      place(c_.token_start[c_.token[i]]);
      out_.append(2 * depth, ' ');
      out_ += node_name(node_kind(c_, i));
      if (c_.left[i] == kNone && c_.right[i] == kNone) out_ += " " + std::string(node_words(i));
      if (types && is_value(type_of_node(i))) out_ += " : " + type_words(type_of_node(i));
      if (!types) out_ += "  (" + std::string(context_name(node_context(c_, i))) + ")";
      if (c_.error[i] != 0)
        out_ += "  " + std::string(diagnostic_row(static_cast<DiagnosticCode>(c_.error[i])).code);
      out_ += '\n';
      if (c_.right[i] != kNone) open.push_back({c_.right[i], depth + 1});
      if (c_.left[i] != kNone) open.push_back({c_.left[i], depth + 1});
    }
  }

  void names() {
    for (u32 b = 0; b < c_.binds; ++b) {
      const Index i = c_.bind_node[b];
      place(c_.token_start[c_.token[i]]);
      out_ += std::string(bind_name(c_.bind_kind[b])) + " " + std::string(node_words(i));
      if (c_.bind_kind[b] != BindKind::Function) out_ += " : " + type_words(c_.bind_type[b]);
      out_ += '\n';
    }
    for (u32 u = 0; u < c_.uses; ++u) {
      const Index i = c_.use_node[u], ref = c_.ref[i];
      place(c_.token_start[c_.token[i]]);
      out_ += "use " + std::string(node_words(i)) + " -> ";
      if (ref == kNone) {
        out_ += "nothing";
      } else if (ref >= kBuiltinRef) {
        out_ += "built-in";
      } else {
        const Place p = place_at(c_.token_start[c_.token[c_.bind_node[ref]]]);
        out_ += std::string(bind_name(c_.bind_kind[ref])) + " at " + std::to_string(p.line) + ":" +
                std::to_string(p.column);
      }
      out_ += '\n';
    }
  }

  const Columns& c_;
  std::string_view source_;
  std::vector<u32> line_starts_{0};
  std::string out_;
};

}  // namespace

std::string dump(Compiler& compiler, std::string_view source, DumpPhase phase) {
  Compilation compilation;
  compiler.compile(source, compilation);
  // The interfaces of modules may stand behind the source.
  const Columns& c = compiler.columns();
  return Printer(c, {reinterpret_cast<const char*>(c.source), c.bytes}).print(phase);
}

}  // namespace komuz::frontend
