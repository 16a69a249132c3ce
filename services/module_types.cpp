// SPDX-License-Identifier: Apache-2.0
#include "services/module_types.h"

#include <algorithm>

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

// The meaning of a name that a program defines or imports.
NameMeaning meaning_of(const Columns& c, const std::string& name, u32 module) {
  for (u32 b = 0; b < c.binds; ++b) {
    const BindKind kind = c.bind_kind[b];
    const Index node = c.bind_node[b];
    const bool may_clash = kind == BindKind::Function || kind == BindKind::Constant ||
                           kind == BindKind::Type || kind == BindKind::Constructor ||
                           kind == BindKind::Import;
    if (!may_clash || frontend::module_of(c, node) != 0 || frontend::name_text(c, node) != name)
      continue;
    const bool is_this = kind == BindKind::Import && frontend::module_used(c, b) == module;
    return is_this ? NameMeaning::This : NameMeaning::Other;
  }
  return NameMeaning::Nothing;
}

}  // namespace

std::string module_path(const Columns& c, u32 number) {
  std::string spelled;
  if (number == 0 || number > c.modules) return spelled;
  const Index path = frontend::path_of(c, c.module_head[number - 1]);
  if (path == kNone) return spelled;
  for (Index i = c.begin[path]; i < c.end[path]; ++i) spelled += text_of_token(c, c.token[i]);
  return spelled;
}

void add_module_types(const Columns& c, TypeId type, std::vector<ModuleType>& out) {
  if (c.modules == 0) return;
  std::vector<TypeId> pending{type};
  while (!pending.empty()) {
    const TypeId t = frontend::settled(pending.back());
    pending.pop_back();
    if (!frontend::is_tuple(t)) continue;
    const TypeForm form = frontend::form_of(c, t);
    if (form == TypeForm::Record || form == TypeForm::Sum) {
      const Index node = frontend::tuple_node(t), item = c.item[node];
      const u32 module = frontend::module_of(c, node);
      if (module != 0) {
        const std::string path = module_path(c, module),
                          name = frontend::name_text(c, c.item_name[item]);
        const bool is_known = std::ranges::any_of(out, [&](const ModuleType& known) {
          return known.module == path && known.name == name;
        });
        if (is_known) continue;
        out.push_back({path, name, meaning_of(c, name, module)});
      }
    }
    if (form == TypeForm::Sum) {
      frontend::Alternatives alternatives(c, t);
      for (Index a = alternatives.next(); a != kNone; a = alternatives.next()) {
        const Index fields = frontend::fields_of(c, a);
        if (fields == kNone) continue;
        frontend::ElementsBackwards elements(c, fields);
        for (Index e = elements.next(); e != kNone; e = elements.next())
          pending.push_back(frontend::element_type(c, e));
      }
    } else if (form == TypeForm::Tuple || form == TypeForm::Record) {
      frontend::PartsBackwards parts(c, t);
      for (Index e = parts.next(); e != kNone; e = parts.next())
        pending.push_back(frontend::part_type(c, t, e));
    } else {
      pending.push_back(frontend::held_type(c, t));
    }
  }
}

}  // namespace komuz::services
