// SPDX-License-Identifier: Apache-2.0
// Which findings only follow from others: what is said inside a construct that is not supported, a name that a broken head
// or binding would have bound. Runs on the host over the findings of a program, so it is the same for every group. Reads the columns of message_columns.def alone.
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
  // To be asked of one after the other, in that order.
  [[nodiscard]] bool contain(const Finding& finding);

 private:
  using Words = std::unordered_set<std::string_view>;
  // What is known of an item that has findings.
  struct BrokenItem {
    u32 body = 0;  // where its `{` stands; 0 if it has none
    bool has_broken_head = false, is_generic = false, has_foreign_else = false,
         is_wide = false;  // it has a type that is too large
    u32 first_path = ~0u;  // `Shape::`, behind which a pattern may have been meant
    bool has_unknown_elements = false;
    bool has_function_type = false;                     // as other languages write one
    bool lacks_body = false, has_other_syntax = false;  // … and something else is wrong
    bool has_do = false;                                // `do { … } while c;`
    bool has_try = false;
    std::string_view name;
    u32 findings = 0;
    Words lost_names;  // that a binding in error would have bound
    Words retyped;     // whose first value is of another type than those that they are given
    Words valueless;   // that are bound to an `if` without `else`, or to a block that ends in a `;`
    // Names that are assigned to and that nobody declared: where the first of them stands.
    std::unordered_map<std::string_view, u32> assigned;
  };

  void note(const Finding& finding);
  // The functions that a text defines, which stands where none can.
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
  u32 functions_lost_to_ = 0;        // by lose_functions
  Words defaults_;                   // functions whose parameters have default values
  Words reserved_;                   // that are names elsewhere
  std::unordered_set<u32> guards_;   // where those start that do not stand behind their pattern
  std::vector<Index> broken_nodes_;  // that have no type of their own, in order
  std::vector<Index> bars_;          // that start a lambda of another language
  std::unordered_set<Index>
      told_brackets_;  // of arrays of which it was said that their elements have several types
  bool has_named_tuple_ = false;  // a type that is meant as a record
  u32 comment_end_ = 0;           // of what the finding at its start speaks for
  Index covered_begin_ = 0,
        covered_end_ = 0;  // nodes of a construct that has been reported as a whole
};

}  // namespace komuz::frontend
