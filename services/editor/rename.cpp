// SPDX-License-Identifier: Apache-2.0
#include "services/editor/rename.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "services/editor/item_tokens.h"
#include "services/front_end_names.h"

namespace komuz::services {
namespace {

std::string in_backticks(std::string_view text) { return "`" + std::string(text) + "`"; }

Problem no_name() { return input_problem("there is no name here that means something"); }

// Words that are keywords in certain places may be names in others, of which the check knows more.
bool may_be_name(Token token) {
  const bool is_reserved = token == Token::Type || token == Token::Use || token == Token::Const;
  return token == Token::Name || (is_contextual(token) && !is_reserved);
}

std::string with_name(std::string_view text, const std::vector<NameUse>& uses,
                      std::string_view name) {
  std::string out;
  u32 at = 0;
  for (const NameUse& use : uses) {
    out.append(text.substr(at, use.begin - at)).append(name);
    at = use.end;
  }
  return out.append(text.substr(at));
}

}  // namespace

Result<FoundName> prepare_rename(std::string_view text, const Library& library, u32 place,
                                 HarnessCandidates candidates) {
  std::optional<FoundName> found = find_name(text, library, place);
  if (!found) return no_name();
  const bool is_known = found->is_open && candidates == HarnessCandidates::Known;
  if (found->fixed && !is_known) return found->fixed;
  return std::move(*found);
}

Problem check_new_name(std::string_view name) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(name));
  const Columns& c = lexer.columns();
  const bool is_one = c.tokens == 1 && c.bytes == name.size() && c.token_length[0] == name.size();
  const std::string shown = name.size() > 80 ? "this" : in_backticks(name);
  const Token token = is_one ? frontend::token_at(c, 0) : Token::Error;
  if (may_be_name(token) && name != "_") return {};
  if (token_row(token).spelling == name && !name.empty())
    return input_problem(shown + " is a word of the language, and no name");
  return input_problem(shown +
                       " is no name; a name has letters, digits and `_`, and begins with no digit");
}

TextRename::TextRename(std::string_view text, KeptText kept, std::string old_name,
                       std::string new_name)
    : text_(text),
      kept_(std::move(kept)),
      old_name_(std::move(old_name)),
      new_name_(std::move(new_name)) {}

TextRename::TextRename(std::string_view text, std::string old_name, std::string new_name)
    : text_(text), old_name_(std::move(old_name)), new_name_(std::move(new_name)) {
  frontend::Compiler lexer;
  kept_ = keep_items_naming(lexer, text_, {old_name_, new_name_});
}

InputPlace TextRename::place_of(u32 kept) const {
  const std::string_view before = text_.substr(0, kept_.in_text(kept));
  const size_t line = before.rfind('\n');
  return {"", 1 + static_cast<u64>(std::ranges::count(before, '\n')),
          line == std::string_view::npos ? before.size() + 1 : before.size() - line};
}

Problem TextRename::find_uses(Analysis& analysis, std::optional<u32> place) {
  analysis.read(kept_.text);
  if (place) {
    const auto group = NameGroup::around(analysis, *place);
    if (!group) return no_name();
    uses_ = group->uses();
    if (!group->is_hole())
      if (auto shared = shared_name(analysis, group->symbol())) shared_ = {std::move(*shared)};
  }
  for (size_t k = 0; !place && k < shared_.size(); ++k)
    for (const NameUse& use : NameGroup(analysis, shared_[k]).uses()) uses_.push_back(use);
  std::ranges::sort(uses_, {}, &NameUse::begin);
  before_ = read_meaning(analysis, old_name_);
  if (!before_.unclear) return {};
  return input_problem(
      place_of(*before_.unclear),
      "what " + in_backticks(old_name_) + " means here is not known, since its item is broken",
      "mend it first");
}
Problem TextRename::find(Analysis& analysis, u32 place) {
  const auto kept = kept_.in_kept(place);
  return kept ? find_uses(analysis, kept) : no_name();
}
Problem TextRename::find(Analysis& analysis, std::vector<SharedName> shared) {
  shared_ = std::move(shared);
  return find_uses(analysis, std::nullopt);
}

std::vector<NameUse> TextRename::uses() const {
  std::vector<NameUse> uses = uses_;
  for (NameUse& use : uses) {
    use.begin = kept_.in_text(use.begin);
    use.end = use.begin + static_cast<u32>(old_name_.size());
  }
  return uses;
}
std::string TextRename::renamed() const { return with_name(text_, uses(), new_name_); }
std::string TextRename::checked_text() const { return with_name(kept_.text, uses_, new_name_); }

u32 TextRename::place_after(u32 byte) const {
  const auto before =
      static_cast<u32>(std::ranges::lower_bound(uses_, byte, {}, &NameUse::begin) - uses_.begin());
  return byte - before * static_cast<u32>(old_name_.size()) +
         before * static_cast<u32>(new_name_.size());
}
u32 TextRename::place_before(u32 byte) const {
  const auto old_size = static_cast<u32>(old_name_.size()),
             new_size = static_cast<u32>(new_name_.size());
  for (const NameUse& use : uses_) {
    if (use.begin >= byte) break;
    byte = byte - std::min(new_size, byte - use.begin) + std::min(old_size, byte - use.begin);
  }
  return byte;
}

SharedName TextRename::renamed(SharedName name) const {
  for (const SharedName& one : shared_) {
    if (name == one) {
      name.name = new_name_;
      return name;
    }
    const bool is_owner =
        one.kind == SharedName::Kind::Type || one.kind == SharedName::Kind::Constructor;
    if (is_owner && name.kind == SharedName::Kind::Field && name.module == one.module &&
        name.owner == one.name)
      name.owner = new_name_;
  }
  return name;
}

bool TextRename::has_same_uses(const Analysis& after) const {
  std::vector<u32> wanted, found;
  for (const NameUse& use : uses_) wanted.push_back(place_after(use.begin));
  const auto add = [&](const NameGroup& group) {
    for (const NameUse& use : group.uses()) found.push_back(use.begin);
  };
  for (const SharedName& name : shared_) add(NameGroup(after, renamed(name)));
  if (shared_.empty() && !wanted.empty())
    if (const auto group = NameGroup::around(after, wanted.front())) add(*group);
  std::ranges::sort(found);
  return wanted == found;
}

Problem TextRename::check(Analysis& analysis) const {
  analysis.read(checked_text());
  const auto change = find_change(
      before_, read_meaning(analysis, new_name_), [&](u32 byte) { return place_after(byte); },
      [&](SharedName name) { return renamed(std::move(name)); });
  if (!change && !has_same_uses(analysis))
    return input_problem(in_backticks(old_name_) + " cannot be called " + in_backticks(new_name_) +
                         ": something else has that name, and they would be one");
  if (!change) return {};
  const InputPlace place = place_of(place_before(change->begin));
  if (change->finding.empty())
    return input_problem(place, "a name would mean something else if " + in_backticks(old_name_) +
                                    " were called " + in_backticks(new_name_));
  return input_problem(place, in_backticks(old_name_) + " cannot be called " +
                                  in_backticks(new_name_) + ": " + change->finding);
}

}  // namespace komuz::services
