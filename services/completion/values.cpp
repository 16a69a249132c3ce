// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "mend/builtin_words.h"
#include "services/completion/sources.h"
#include "services/doc.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

// The names that are bound or imported in the text that contains the place.
class Bindings {
 public:
  Bindings(const Analysis& question, Index node, Candidates& out)
      : analysis_(question), c_(question.columns()), node_(node), out_(out) {}

  void add_locals() {
    for (u32 b = c_.binds; b-- > 0;) {
      const Index bound = c_.bind_node[b];
      const bool is_seen = frontend::is_local(c_.bind_kind[b]) &&
                           c_.item[bound] == c_.item[node_] && c_.bind_from[b] <= node_ &&
                           node_ < c_.bind_until[b];
      if (is_seen) add(b, Nearness::Local, c_.binds - b);
    }
  }
  template <class Wanted>
  void add_globals(Wanted is_wanted) {
    for (u32 b = 0; b < c_.binds; ++b) {
      const BindKind kind = c_.bind_kind[b];
      if (!frontend::is_global(kind)) continue;
      const u32 module = frontend::module_of(c_, c_.bind_node[b]);
      const bool is_head = kind == BindKind::Module && c_.bind_until[b] == 0;
      if (is_head || (module != 0 && !is_of_import(b, module))) continue;
      const bool imported = module != 0 || frontend::is_imported(kind);
      if (is_wanted(meaning_of(b))) add(b, imported ? Nearness::Imported : Nearness::Own, b);
    }
  }

 private:
  // The kind of a name that a `use` lists.
  [[nodiscard]] BindKind meaning_of(u32 b) const {
    if (c_.bind_kind[b] != BindKind::Import) return c_.bind_kind[b];
    const Symbol symbol = symbol_of(analysis_, c_.bind_node[b]);
    return symbol.kind == Symbol::Kind::Binding ? c_.bind_kind[symbol.number] : BindKind::Import;
  }
  // True for a constructor of a type that a `use` lists.
  [[nodiscard]] bool is_of_import(u32 b, u32 module) const {
    if (c_.bind_kind[b] != BindKind::Constructor) return false;
    const Index type = c_.item_name[c_.item[c_.bind_node[b]]];
    for (u32 other = 0; type != kNone && other < c_.binds; ++other)
      if (c_.bind_kind[other] == BindKind::Import && frontend::module_used(c_, other) == module &&
          frontend::same_text(c_, type, c_.bind_node[other]))
        return true;
    return false;
  }
  void add(u32 b, Nearness nearness, u32 order) {
    const Index bound = c_.bind_node[b];
    const std::string name = frontend::name_text(c_, bound);
    if (name == "_" || !out_.wants(name)) return;
    if (is_of_frame(analysis_, b)) return;
    // A constant, or a type, has no part of itself.
    if (c_.item[bound] == c_.item[node_] &&
        (c_.bind_kind[b] == BindKind::Constant || c_.bind_kind[b] == BindKind::Type))
      return;
    const Symbol symbol = symbol_of(analysis_, bound);
    SymbolText text = describe(analysis_, symbol);
    if (out_.function() && is_wanted_function(symbol, text.type)) text.type = out_.expected();
    out_.add(text, nearness, order);
  }
  [[nodiscard]] bool is_wanted_function(const Symbol& symbol, const std::string& result) const {
    if (symbol.kind != Symbol::Kind::Binding || c_.bind_kind[symbol.number] != BindKind::Function)
      return false;
    const Index item = c_.item[c_.bind_node[symbol.number]];
    if (!frontend::has_signature(c_, item) || frontend::is_space(c_, item)) return false;
    const WantedFunction& wanted = *out_.function();
    const Index parameters = frontend::parameters_of(c_, item);
    if (frontend::count_elements(c_, parameters) != wanted.parameters.size()) return false;
    for (u32 k = 0; k < wanted.parameters.size(); ++k) {
      const std::string type = frontend::written_type(
          c_, frontend::parameter_type(c_, frontend::element_at(c_, parameters, k)));
      if (!wanted.parameters[k].empty() && type != wanted.parameters[k]) return false;
    }
    return wanted.result.empty() || result == wanted.result;
  }

  const Analysis& analysis_;
  const Columns& c_;
  Index node_;
  Candidates& out_;
};

// The result type of a built-in function if T could be the wanted type.
std::string result_of(const BuiltinRow& row, const std::string& wanted) {
  switch (row.shape) {
    case BuiltinShape::Same:
    case BuiltinShape::Shift: return has_type(row.types, wanted) ? wanted : "";
    case BuiltinShape::Predicate: return std::string(scalar_name(Scalar::Bool));
    case BuiltinShape::ToI64: return std::string(scalar_name(Scalar::I64));
    case BuiltinShape::Convert:
    case BuiltinShape::Wrap: return std::string(scalar_name(row.target));
    case BuiltinShape::Exact: return "Option[" + std::string(scalar_name(row.target)) + "]";
    case BuiltinShape::Bits:
    case BuiltinShape::FromBits: break;
  }
  return "";
}

void add_doc(const DocEntry& doc, NameKind kind, std::string type, u32 order, Candidates& out) {
  out.add({doc.name, kind, doc.signature, std::move(type), first_sentence(doc.text), doc.text},
          Nearness::BuiltIn, order);
}
void add_builtin_constants(Candidates& out) {
  for (u32 k = 0; k < kConstantCount; ++k) {
    const ConstantRow& row = builtin_constant(k);
    if (!out.wants(row.name)) continue;
    const bool is_float = row.type == Scalar::None && out.expected() == scalar_name(Scalar::F32);
    const Scalar type =
        row.type == Scalar::None ? (is_float ? Scalar::F32 : Scalar::F64) : row.type;
    add_doc(builtin_doc(row), NameKind::Constant, std::string(scalar_name(type)), kBuiltinCount + k,
            out);
  }
}
void add_option_constructors(Candidates& out) {
  const bool fits = out.expected().starts_with("Option[");
  for (u32 k = 0; k < kCollectionCount; ++k)
    if (frontend::is_option_constructor(frontend::kFirstCollection + k) &&
        out.wants(collection_row(k).name))
      add_doc(builtin_doc(collection_row(k)), NameKind::Constructor, fits ? out.expected() : "",
              kBuiltinCount + kConstantCount + k, out);
}
// For a place of a lambda: true if all its arguments have one type.
bool is_wanted_function(const BuiltinRow& row, const WantedFunction& wanted) {
  if (builtin_arity(row) != wanted.parameters.size()) return false;
  const std::string& first = wanted.parameters.back();  // the element
  for (const std::string& parameter : wanted.parameters)
    if (!parameter.empty() && parameter != first) return false;
  return has_type(row.types, first) &&
         (wanted.result.empty() || result_of(row, first) == wanted.result);
}
void add_builtins(Candidates& out) {
  for (u32 k = 0; k < kBuiltinCount; ++k) {
    const BuiltinRow& row = kBuiltins[k];
    if (!out.wants(row.name)) continue;
    const bool is_wanted = out.function() && is_wanted_function(row, *out.function());
    add_doc(builtin_doc(row), NameKind::Function,
            is_wanted ? out.expected() : result_of(row, out.expected()), k, out);
  }
  add_builtin_constants(out);
  add_option_constructors(out);
  // Operations that are called like functions have that form in their documentation.
  for (u32 k = 0; k < kNamedChains; ++k) {
    const ChainRow& row = chain_row(static_cast<ChainOp>(k));
    if (row.documentation.starts_with(row.name) && out.wants(row.name))
      add_doc(builtin_doc(row), NameKind::Function, "", kBuiltinCount + k, out);
  }
}

}  // namespace

bool is_of_frame(const Analysis& question, u32 binding) {
  const Columns& c = question.columns();
  const Index bound = c.bind_node[binding];
  return c.bind_kind[binding] != BindKind::Parameter && c.token[bound] < question.own_tokens() &&
         !question.place_of(bound);
}

void add_values(const Analysis& question, Index node, Candidates& out) {
  Bindings bindings(question, node, out);
  bindings.add_locals();
  bindings.add_globals([](BindKind kind) { return kind != BindKind::Type; });
  add_builtins(out);
}

void add_patterns(const Analysis& question, Index node, Candidates& out) {
  Bindings bindings(question, node, out);
  bindings.add_globals([](BindKind kind) {
    return kind == BindKind::Constructor || kind == BindKind::Constant || kind == BindKind::Module;
  });
  add_option_constructors(out);
  add_builtin_constants(out);
}

void add_types(const Analysis& question, Index node, Candidates& out) {
  Bindings bindings(question, node, out);
  bindings.add_globals(
      [](BindKind kind) { return kind == BindKind::Type || kind == BindKind::Module; });
  for (const BuiltinWord& word : builtin_words()) {
    if (word.kind != BuiltinWord::Kind::Type || !out.wants(word.spelling)) continue;
    const std::string name(word.spelling);
    out.add({name, NameKind::Type, name, name, ""}, Nearness::BuiltIn);
  }
}

void add_labels(const Analysis& question, Index node, Candidates& out) {
  const Columns& c = question.columns();
  const Index call = frontend::call_of_argument(c, node);
  if (call == kNone || frontend::node_kind(c, call) != Node::Call) return;
  const Index ref = c.ref[frontend::call_name(c, call)];
  if (ref >= c.binds || c.bind_kind[ref] != BindKind::Constructor) return;
  const Index fields = frontend::fields_of(c, c.bind_node[ref]);
  if (fields == kNone) return;
  const auto is_given = [&](Index field) {
    frontend::ElementsBackwards arguments(c, c.right[call]);
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      if (frontend::node_kind(c, e) == Node::Colon && c.left[e] != kNone &&
          frontend::same_text(c, c.left[e], field))
        return true;
    return false;
  };
  frontend::ElementsBackwards elements(c, fields);
  for (Index e = elements.next(); e != kNone; e = elements.next()) {
    if (!frontend::is_field(c, e) || is_given(c.left[e])) continue;
    SymbolText text = describe(question, {Symbol::Kind::Field, c.left[e]});
    text.name += ": ";
    out.add(text, Nearness::Label, c.left[e]);
  }
}

}  // namespace komuz::services
