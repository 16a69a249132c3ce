// SPDX-License-Identifier: Apache-2.0

#include "engine/values/value_text.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/doc.h"
#include "services/front_end_names.h"
#include "services/item_text.h"
#include "services/symbols.h"

namespace komuz::services {

namespace {

// A cell of a scalar as a program spells it.
std::string cell_text(u64 cell, Scalar type) {
  std::string text;
  if (type != Scalar::None) engine::print_scalar(text, type, cell, engine::ValueStyle::Source);
  return text;
}

class Describe {
 public:
  Describe(const Analysis& analysis, SymbolText& out)
      : analysis_(analysis), c_(analysis.columns()), out_(out) {}

  void scalar(Scalar type) {
    out_.kind = NameKind::Type;
    out_.name = out_.signature = out_.type = scalar_name(type);
  }
  void builtin(Index ref) {
    const u32 row = ref - kBuiltinRef;
    if (frontend::is_builtin_function(ref))
      return doc(NameKind::Function, builtin_doc(kBuiltins[row]));
    if (frontend::is_collection(ref)) {
      const u32 number = ref - frontend::kFirstCollection;
      const bool makes = frontend::is_option_constructor(ref);
      return doc(makes ? NameKind::Constructor : NameKind::Operation,
                 builtin_doc(collection_row(number)));
    }
    if (frontend::is_chain(ref))
      return doc(NameKind::Operation,
                 builtin_doc(chain_row(static_cast<ChainOp>(ref - frontend::kFirstChain))));
    if (row - kBuiltinCount < kConstantCount)
      doc(NameKind::Constant, builtin_doc(builtin_constant(row - kBuiltinCount)));
  }
  void field(Index name) {
    out_.kind = NameKind::Field;
    const Index colon = frontend::parent_of(c_, name);
    out_.name = frontend::name_text(c_, name);
    if (colon != kNone && frontend::is_field(c_, colon))
      out_.type = frontend::written_type(c_, frontend::declared_type(c_, c_.right[colon]));
    out_.signature = with_type(out_.name, out_.type);
    const Index item = c_.item[name];
    out_.text = made_by(item);
    set_module(item);
  }
  void binding(u32 b) {
    const Index node = c_.bind_node[b], item = c_.item[node];
    out_.name = frontend::name_text(c_, node);
    switch (c_.bind_kind[b]) {
      case BindKind::Function: return function(item);
      case BindKind::Constant: return constant(node, item);
      case BindKind::Type:
        this->item(NameKind::Type, item);
        out_.type = out_.name;
        return;
      case BindKind::Constructor: return constructor(node, item);
      case BindKind::Import:
        out_.kind = NameKind::Module;
        out_.signature = out_.name;
        return;
      case BindKind::Module: return module(b, item);
      case BindKind::Parameter: return local(NameKind::Parameter, "", b);
      case BindKind::Let: return local(NameKind::Variable, "let ", b);
      case BindKind::Var: return local(NameKind::Variable, "var ", b);
      case BindKind::For:
      case BindKind::Pattern:
      case BindKind::Lambda: return local(NameKind::Variable, "", b);
      case BindKind::Limit:
      case BindKind::Match: return;
    }
  }

 private:
  static std::string with_type(const std::string& name, const std::string& type) {
    return type.empty() ? name : name + ": " + type;
  }
  // For a part of a type item: its owner.
  [[nodiscard]] std::string made_by(Index item) const {
    const Index name = c_.item_name[item];
    return name == kNone ? "" : "of `" + frontend::name_text(c_, name) + "`\n";
  }
  void doc(NameKind kind, DocEntry entry) {
    out_.kind = kind;
    out_.name = entry.name;
    out_.signature = entry.signature;
    out_.text = entry.text;
  }
  void set_module(Index item) {
    if (const Module* const module = analysis_.module_of(item)) out_.module = module->path;
  }
  // The description common to all items: how they are written, and the comment above.
  void item(NameKind kind, Index item) {
    out_.kind = kind;
    out_.signature = on_one_line(c_, signature_tokens(c_, item, analysis_.tokens_of(item)));
    if (const auto place = analysis_.item_place(item))
      out_.text = comment_above(place->text, place->begin);
    set_module(item);
  }
  void function(Index item) {
    this->item(frontend::is_space(c_, item) ? NameKind::Space : NameKind::Function, item);
    if (frontend::has_signature(c_, item))
      out_.type = frontend::written_type(c_, frontend::result_type(c_, item));
  }
  void constant(Index node, Index item) {
    this->item(NameKind::Constant, item);
    const TypeId type = frontend::annotated_type(c_, node);
    out_.type = frontend::written_type(c_, type);
    // Constants have values only if there is code.
    if (!analysis_.is_sound() || !frontend::is_scalar(type) || c_.code_room == 0) return;
    if (c_.item_module[item] != 0 && c_.modules != 0) return;
    out_.value = cell_text(c_.constants[c_.item_constant[item]], frontend::as_scalar(type));
  }
  void constructor(Index node, Index item) {
    this->item(NameKind::Constructor, item);
    if (c_.item_name[item] != kNone) out_.type = frontend::name_text(c_, c_.item_name[item]);
    const Index fields = frontend::fields_of(c_, node);
    const Index first = c_.token[node];
    Index end = first + 1;
    // Finds its parentheses, which nest only those of types.
    for (u32 depth = 0; fields != kNone && end < c_.tokens; ++end) {
      const Act act = token_row(frontend::token_at(c_, end)).act;
      depth += act == Act::Paren;
      depth -= act == Act::Close;
      if (depth != 0) continue;
      ++end;
      break;
    }
    out_.signature = on_one_line(c_, {first, end});
    if (out_.text.empty()) out_.text = made_by(item);
  }
  void module(u32 b, Index item) {
    out_.kind = NameKind::Module;
    out_.signature = on_one_line(c_, analysis_.tokens_of(item));
    const Module* const module = analysis_.find_module(frontend::module_used(c_, b));
    if (module == nullptr) return;
    out_.module = module->path;
    out_.text = module_summary(module->text);
  }
  void local(NameKind kind, const char* word, u32 b) {
    out_.kind = kind;
    out_.type = frontend::written_type(c_, c_.bind_type[b]);
    out_.signature = word + with_type(out_.name, out_.type);
  }

  const Analysis& analysis_;
  const Columns& c_;
  SymbolText& out_;
};

}  // namespace

std::string_view name_kind_word(NameKind kind) {
  switch (kind) {
    case NameKind::Keyword: return "keyword";
    case NameKind::Function: return "function";
    case NameKind::Operation: return "operation";
    case NameKind::Space: return "space";
    case NameKind::Constant: return "constant";
    case NameKind::Type: return "type";
    case NameKind::Constructor: return "constructor";
    case NameKind::Field: return "field";
    case NameKind::Module: return "module";
    case NameKind::Parameter: return "parameter";
    case NameKind::Variable: return "variable";
  }
  return "";
}

SymbolText describe(const Analysis& analysis, const Symbol& symbol) {
  SymbolText out;
  Describe describe(analysis, out);
  switch (symbol.kind) {
    case Symbol::Kind::None: break;
    case Symbol::Kind::Binding: describe.binding(symbol.number); break;
    case Symbol::Kind::Builtin: describe.builtin(symbol.number); break;
    case Symbol::Kind::Field: describe.field(symbol.number); break;
    case Symbol::Kind::Scalar: describe.scalar(static_cast<Scalar>(symbol.number)); break;
  }
  return out;
}

}  // namespace komuz::services
