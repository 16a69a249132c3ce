// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/move_module.h"

#include <algorithm>

#include "services/editor/use_links.h"
#include "services/references.h"

namespace komuz::services {
namespace {

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

bool may_be_module_path(std::string_view path) {
  frontend::Compiler lexer;
  const std::string text = "use " + std::string(path) + ";\n";
  static_cast<void>(lexer.identify(text));
  const std::vector<UseLink> links = list_use_links(lexer.columns(), text);
  return links.size() == 1 && links[0].path == path;
}

std::vector<Edit> move_modules(const Analysis& analysis, const std::vector<ModuleMove>& moves) {
  std::vector<Edit> edits;
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(analysis.text()));
  for (const UseLink& link : list_use_links(lexer.columns(), analysis.text())) {
    const auto move = std::ranges::find(moves, link.path, &ModuleMove::from);
    if (move == moves.end() || move->from == move->to) continue;
    edits.push_back({link.begin, link.end, move->to});
    const std::string_view before = last_name(move->from), after = last_name(move->to);
    if (before == after) continue;
    const u32 name = link.end - static_cast<u32>(before.size());
    for (const Reference& reference : find_references(analysis, name)) {
      const TextPlace& place = reference.place;
      const bool is_use = place.begin >= link.begin && place.begin < link.end;
      if (place.in == PlaceIn::Text && !is_use)
        edits.push_back({place.begin, place.end, std::string(after)});
    }
  }
  std::ranges::sort(edits, {}, &Edit::begin);
  return edits;
}

}  // namespace komuz::services
