// SPDX-License-Identifier: Apache-2.0
// Another name for what a name means, in one text after the other. A new name that would change what any name means,
// or that no text may have, is a problem in words. Knows no files: the caller knows which texts there are, and gives
// each with the modules that it sees.
//
//   prepare_rename   may what is there be renamed?
//   TextRename       of one text: find the uses, then check what comes of the new name with the modules as they are afterwards
//
// Only items that spell one of the names are compiled, with the heads of those that they need (item_tokens.h): no
// other item can mean something else afterwards.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "services/editor/find_name.h"
#include "services/editor/text_meaning.h"

namespace komuz::services {

// Does the caller know the candidates of a harness, which define what it leaves open?
enum class HarnessCandidates : u8 { Unknown, Known };
// `library`: the modules that the text names.
[[nodiscard]] Result<FoundName> prepare_rename(
    std::string_view text, const Library& library, u32 place,
    HarnessCandidates candidates = HarnessCandidates::Unknown);
// Why this is no new name.
[[nodiscard]] Problem check_new_name(std::string_view name);

class TextRename {
 public:
  // `text` outlives it. `kept`: what of it spells one of the names.
  TextRename(std::string_view text, KeptText kept, std::string old_name, std::string new_name);
  TextRename(std::string_view text, std::string old_name, std::string new_name);

  // What of the text is compiled. It may name modules that the whole text does not, where what stands before a `use` is left out.
  [[nodiscard]] const std::string& kept_text() const { return kept_.text; }
  // Finds the uses: of the name at a place, or of those that other texts share. `analysis`: one with examples as
  // tests and the modules as they are, among them all that `kept_text` names, for any number of texts. A problem: the meaning is not known everywhere.
  [[nodiscard]] Problem find(Analysis& analysis, u32 place);
  [[nodiscard]] Problem find(Analysis& analysis, std::vector<SharedName> shared);
  // In the order of the text.
  [[nodiscard]] std::vector<NameUse> uses() const;
  // The text afterwards.
  [[nodiscard]] std::string renamed() const;
  // What of it has to be compiled with the new modules.
  [[nodiscard]] std::string checked_text() const;
  // `analysis`: another one, with the modules afterwards, among them all that `checked_text` names. A problem: a
  // meaning changes.
  [[nodiscard]] Problem check(Analysis& analysis) const;

 private:
  [[nodiscard]] Problem find_uses(Analysis& analysis, std::optional<u32> place);
  // Are the uses those of the new name afterwards?
  [[nodiscard]] bool has_same_uses(const Analysis& after) const;
  // Bytes of what is kept: before and afterwards.
  [[nodiscard]] u32 place_after(u32 byte) const;
  [[nodiscard]] u32 place_before(u32 byte) const;
  [[nodiscard]] SharedName renamed(SharedName name) const;
  [[nodiscard]] InputPlace place_of(u32 kept) const;

  std::string_view text_;
  KeptText kept_;
  std::string old_name_, new_name_;
  std::vector<SharedName> shared_;
  std::vector<NameUse> uses_;  // bytes of what is kept
  TextMeaning before_;
};

}  // namespace komuz::services
