// SPDX-License-Identifier: Apache-2.0
// Names behind a `?`, and the options of a grid.
#include "frontend_gpu/view.h"
#include "services/completion/place.h"
#include "services/completion/sources.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

void add_hole_names(const Analysis& analysis, u32 own, Candidates& out) {
  const Columns& c = analysis.columns();
  for (u32 b = 0; b < c.binds; ++b) {
    const Index bound = c.bind_node[b];
    if (frontend::module_of(c, bound) != 0) continue;
    // A name that a `use` lists stands for what it names.
    const bool is_imported = c.bind_kind[b] == BindKind::Import;
    if (c.bind_kind[b] != BindKind::Function && !is_imported) continue;
    const Symbol symbol = symbol_of(analysis, bound);
    const Index meant = defining_node(analysis, symbol);
    if (meant == kNone || !frontend::is_space(c, c.item[meant])) continue;
    out.add(describe(analysis, symbol), is_imported ? Nearness::Imported : Nearness::Own, b);
  }
  const Columns& written = analysis.written();
  for (Index t = 0; t < analysis.written_tokens(); ++t) {
    if (frontend::token_at(written, t) != Token::Hole || written.token_start[t] == own) continue;
    const std::string name(text_of_token(written, t).substr(1));
    if (out.wants(name))
      out.add({name, NameKind::Variable, "?" + name, "", "the same decision as there"},
              Nearness::Imported, t);
  }
}

void add_grid_options(const Analysis& analysis, Index range, Candidates& out) {
  struct Option {
    std::string_view word, text;
  };
  constexpr Option kOptions[] = {{"steps", "how many points a grid of floats has"},
                                 {"log", "points whose ratio is the same"}};
  const Columns& c = analysis.written();
  u32 order = 0;
  for (const auto& [word, text] : kOptions) {
    bool is_given = false;
    for (Index t = range; t + 1 < analysis.written_tokens(); ++t) {
      if (token_row(frontend::token_at(c, t)).act == Act::Close) break;
      is_given =
          is_given || (text_of_token(c, t) == word && frontend::token_at(c, t + 1) == Token::Colon);
    }
    if (!is_given)
      out.add({std::string(word) + ": ", NameKind::Field, std::string(word) + ": ", "",
               std::string(text), std::string(text)},
              Nearness::Label, order++);
  }
}

}  // namespace komuz::services
