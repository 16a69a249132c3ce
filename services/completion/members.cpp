// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/completion/sources.h"
#include "services/doc.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

class Members {
 public:
  Members(const Analysis& question, Index value, Candidates& out)
      : analysis_(question),
        c_(question.columns()),
        out_(out),
        type_(frontend::settled(c_.type[value])),
        is_range_(frontend::is_range(c_, frontend::inside_parentheses(c_, value))) {}

  void add() {
    if (is_range_) return add_chains();
    if (!frontend::is_value(type_)) return;
    add_fields();
    add_functions();
    if (frontend::is_scalar(type_)) return add_builtins(frontend::as_scalar(type_));
    const TypeForm form = frontend::form_of(c_, type_);
    if (form == TypeForm::Option || frontend::has_elements(form))
      add_operations(form == TypeForm::Option);
    if (frontend::has_elements(form)) add_chains();
  }

 private:
  void add_fields() {
    if (frontend::is_record(c_, type_)) {
      frontend::ElementsBackwards elements(c_, frontend::tuple_node(type_));
      for (Index e = elements.next(); e != kNone; e = elements.next())
        if (frontend::is_field(c_, e))
          out_.add(describe(analysis_, {Symbol::Kind::Field, c_.left[e]}), Nearness::Local, e);
    } else if (frontend::is_tuple(type_) && frontend::is_plain_tuple(c_, type_)) {
      for (u32 k = 0; k < frontend::count_parts(c_, type_); ++k) {
        const std::string type = frontend::written_type(c_, frontend::field_type(c_, type_, k));
        const std::string name = std::to_string(k);
        out_.add({name, NameKind::Field, name + ": " + type, type, ""}, Nearness::Local, k);
      }
    }
  }
  // Adds functions whose first parameter accepts the value.
  void add_functions() {
    const std::string own = frontend::written_type(c_, type_);
    for (u32 b = 0; b < c_.binds; ++b) {
      if (c_.bind_kind[b] != BindKind::Function && c_.bind_kind[b] != BindKind::Import) continue;
      const Index bound = c_.bind_node[b];
      if (frontend::module_of(c_, bound) != 0 || is_of_frame(analysis_, b) ||
          !out_.wants(frontend::name_text(c_, bound)))
        continue;
      const Symbol symbol = symbol_of(analysis_, bound);
      if (symbol.kind != Symbol::Kind::Binding || c_.bind_kind[symbol.number] != BindKind::Function)
        continue;
      const Index item = c_.item[c_.bind_node[symbol.number]];
      if (!frontend::has_signature(c_, item) || frontend::is_space(c_, item)) continue;
      const Index parameters = frontend::parameters_of(c_, item);
      const u32 count = frontend::count_elements(c_, parameters);
      if (count == 0) continue;
      if (takes(frontend::parameter_type(c_, frontend::element_at(c_, parameters, 0)), own))
        out_.add(describe(analysis_, symbol), Nearness::Own, b);
    }
  }
  [[nodiscard]] bool takes(TypeId parameter, const std::string& own) const {
    if (!frontend::is_value(parameter)) return false;
    if (frontend::written_type(c_, parameter) == own) return true;
    return frontend::is_slice(c_, parameter) && frontend::has_elements(c_, type_) &&
           frontend::written_type(c_, frontend::held_type(c_, parameter)) ==
               frontend::written_type(c_, frontend::held_type(c_, type_));
  }
  void add_builtins(Scalar scalar) {
    for (u32 k = 0; k < kBuiltinCount; ++k)
      if ((kBuiltins[k].types & type_bit(scalar)) != 0 && out_.wants(kBuiltins[k].name))
        add(builtin_doc(kBuiltins[k]), NameKind::Function, k);
  }
  void add_operations(bool is_option) {
    for (u32 k = 0; k < kCollectionCount; ++k) {
      const CollectionRow& row = collection_row(k);
      const bool makes = frontend::is_option_constructor(frontend::kFirstCollection + k);
      if (!makes && frontend::is_of_option(row.operation) == is_option && out_.wants(row.name))
        add(builtin_doc(row), NameKind::Operation, k);
    }
  }
  void add_chains() {
    for (u32 k = 0; k < kNamedChains; ++k) {
      const ChainRow& row = chain_row(static_cast<ChainOp>(k));
      const bool counts = row.operation == ChainOp::StepBy;
      if (frontend::counts_up(row.operation) || (counts && !is_range_) || !out_.wants(row.name))
        continue;
      add(builtin_doc(row), NameKind::Operation, kCollectionCount + k);
    }
  }
  void add(const DocEntry& doc, NameKind kind, u32 order) {
    out_.add({doc.name, kind, doc.signature, "", first_sentence(doc.text), doc.text},
             Nearness::BuiltIn, order);
  }

  const Analysis& analysis_;
  const Columns& c_;
  Candidates& out_;
  TypeId type_;
  bool is_range_;
};

}  // namespace

void add_members(const Analysis& question, Index value, Candidates& out) {
  Members(question, value, out).add();
}

}  // namespace komuz::services
