// SPDX-License-Identifier: Apache-2.0
// Tells which findings only follow from others: those inside a construct that is not supported, or about a name
// that a broken head or binding would have bound. Runs on the host over the findings of a program, so it is the
// same for every group. Reads only the columns of message_columns.def.
#pragma once
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

class FollowUps {
 public:
  // The findings are in the order of the source.
  FollowUps(const Columns& c, const std::vector<Finding>& findings);
  // True for a finding that follows from another. Has to be asked for one finding after the other, in that order.
  [[nodiscard]] bool contain(const Finding& finding);

 private:
  using Words = std::unordered_set<std::string_view>;
  // What is known of an item that has findings.
  struct BrokenItem {
    u32 body = 0;  // where its `{` stands; 0 if it has none
    bool has_broken_head = false, is_generic = false, has_foreign_else = false,
         is_wide = false;  // it has a type that is too large
    u32 first_path = ~0u;  // the position of `Shape::`, behind which a pattern may have been meant
    bool has_unknown_elements = false;
    bool has_function_type = false;                     // as other languages write one
    bool lacks_body = false, has_other_syntax = false;  // something else is wrong, too
    bool has_do = false;                                // `do { … } while c;`
    bool has_try = false;
    std::string_view name;
    u32 findings = 0;
    Words lost_names;  // names that a binding in error would have bound
    Words retyped;     // names whose first value has another type than later ones
    Words valueless;   // names bound to an `if` without `else`, or to a block that ends in `;`
    // Names that are assigned to without being declared, with the position of the first assignment.
    std::unordered_map<std::string_view, u32> assigned;
  };

  void note(const Finding& finding);
  // Notes the functions that the text [begin, end) defines. No functions may stand there.
  void lose_functions(u32 begin, u32 end);
  [[nodiscard]] BrokenItem look_at(Index item);
  [[nodiscard]] bool has_broken_part(Index node) const;
  [[nodiscard]] bool is_behind_lost(Index name) const;
  [[nodiscard]] bool unwraps_broken(Index name) const;
  [[nodiscard]] bool has_unknown_receiver(Index name) const;
  [[nodiscard]] bool has_valueless_operand(Index node, const BrokenItem& item) const;
  [[nodiscard]] bool is_of_told_elements(const Finding& finding) const;
  [[nodiscard]] bool has_bars(Index call) const;
  [[nodiscard]] bool has_other_count(Index dot) const;
  [[nodiscard]] bool calls_default(Index call) const;
  [[nodiscard]] u32 bars_end(const Finding& finding) const;
  [[nodiscard]] bool is_retyped(Index node, const BrokenItem& item) const;
  [[nodiscard]] bool is_of_no_elements(Index node) const;
  [[nodiscard]] bool is_of_lost(Index index, const BrokenItem& item) const;
  [[nodiscard]] bool is_lost(const Finding& finding) const;

  const Columns& c_;
  std::vector<Index> first_nodes_;  // of each item
  std::unordered_map<Index, BrokenItem> items_;
  Words lost_names_;  // of functions, constants and types
  Words lost_spaces_;
  u32 first_excess_use_ = ~0U;
  u32 functions_lost_to_ = 0;        // how far lose_functions has come
  Words defaults_;                   // functions whose parameters have default values
  Words reserved_;                   // words that are names in other languages
  std::unordered_set<u32> guards_;   // positions of guards that do not stand behind their pattern
  std::vector<Index> broken_nodes_;  // nodes without a type of their own, in order
  std::vector<Index> bars_;          // bars that start a lambda of another language
  std::unordered_set<Index>
      told_brackets_;             // arrays whose elements were reported to have several types
  bool has_named_tuple_ = false;  // a type that is meant as a record
  u32 comment_end_ = 0;           // the end of what the finding at its start speaks for
  Index covered_begin_ = 0,
        covered_end_ = 0;  // nodes of a construct that has been reported as a whole
};

}  // namespace komuz::frontend
