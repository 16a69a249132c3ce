// SPDX-License-Identifier: Apache-2.0
#include "services/editor/find_name.h"

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "frontend_gpu/view.h"
#include "services/editor/item_tokens.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

struct WordSpan {
  u32 begin = 0, end = 0;
};
// The word around a byte, or behind the `?` there.
WordSpan word_around(std::string_view text, u32 place) {
  auto begin = std::min(place, static_cast<u32>(text.size()));
  if (begin < text.size() && text[begin] == '?') ++begin;
  u32 end = begin;
  while (begin > 0 && is_word_byte(text[begin - 1])) --begin;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return {begin, end};
}

std::vector<NameUse> in_text(const KeptText& kept, std::vector<NameUse> uses) {
  for (NameUse& use : uses) {
    const u32 length = use.end - use.begin;
    use.begin = kept.in_text(use.begin);
    use.end = use.begin + length;
  }
  return uses;
}

bool is_left_open(const Analysis& analysis, const NameGroup& group) {
  const Columns& c = analysis.columns();
  const Symbol& symbol = group.symbol();
  return !group.is_hole() && symbol.kind == Symbol::Kind::Binding &&
         c.bind_kind[symbol.number] == BindKind::Function &&
         frontend::is_open(c, c.item[c.bind_node[symbol.number]]) &&
         frontend::module_of(c, c.bind_node[symbol.number]) == 0;
}

Problem why_fixed(const Analysis& analysis, const NameGroup& group) {
  if (group.is_hole()) return {};
  const Columns& c = analysis.columns();
  const Symbol& symbol = group.symbol();
  const std::string name = "`" + group.name() + "`";
  if (symbol.kind == Symbol::Kind::Builtin || symbol.kind == Symbol::Kind::Scalar)
    return input_problem(name + " is built in, and has no other name");
  if (symbol.kind == Symbol::Kind::Binding) {
    if (c.bind_kind[symbol.number] == BindKind::Module)
      return input_problem(name + " is a module, which has the name of its file; rename the file");
    if (is_left_open(analysis, group))
      return input_problem(name +
                           " is left to candidates, and nobody knows the files that define it");
    if (c.bind_kind[symbol.number] == BindKind::Import)
      return input_problem("it is not known what " + name + " means; no module shows it");
  }
  const auto shared = shared_name(analysis, symbol);
  if (shared && shared->module.starts_with(engine::kStandardPrefix))
    return input_problem(name + " is of the standard library, which nobody may change");
  return {};
}

}  // namespace

std::optional<FoundName> find_name(std::string_view text, const Library& library, u32 place) {
  const WordSpan word = word_around(text, place);
  if (word.begin == word.end) return std::nullopt;
  frontend::Compiler lexer;
  const KeptText kept =
      keep_items_naming(lexer, text, {text.substr(word.begin, word.end - word.begin)});
  const auto place_kept = kept.in_kept(word.begin);
  if (!place_kept) return std::nullopt;
  Analysis analysis(&library, Examples::Tests);
  analysis.read(kept.text);
  const auto group = NameGroup::around(analysis, *place_kept);
  if (!group) return std::nullopt;
  FoundName out{word.begin, word.end, group->name(), in_text(kept, group->uses()), {}, false,
                false,      {},       false};
  if (std::ranges::find(out.uses, word.begin, &NameUse::begin) == out.uses.end())
    return std::nullopt;
  out.fixed = why_fixed(analysis, *group);
  out.is_open = is_left_open(analysis, *group);
  const Symbol& symbol = group->symbol();
  out.is_linked =
      group->is_hole() || (symbol.kind == Symbol::Kind::Binding &&
                           analysis.columns().bind_kind[symbol.number] == BindKind::Parameter);
  if (!group->is_hole()) {
    out.shared = shared_name(analysis, group->symbol());
    out.is_shown = is_shown(analysis, group->symbol());
  }
  return out;
}

std::vector<NameUse> find_uses(const KeptText& kept, Analysis& analysis,
                               const std::vector<SharedName>& names) {
  std::vector<NameUse> found;
  analysis.read(kept.text);
  for (const SharedName& name : names)
    for (const NameUse& use : NameGroup(analysis, name).uses()) found.push_back(use);
  std::ranges::sort(found, {}, &NameUse::begin);
  return in_text(kept, std::move(found));
}

}  // namespace komuz::services
