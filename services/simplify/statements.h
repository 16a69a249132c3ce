// SPDX-License-Identifier: Apache-2.0
// `let`s and blocks of a draft that a person would not write: values go where they are used once, names and numbers
// where they are used, and tuples that bind several names at once become one `let` a name.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "services/simplify/facts.h"

namespace komuz::services {

class StatementRewriter {
 public:
  StatementRewriter(Draft& draft, Facts& facts);

  // The facts of the body are known.
  void run(u32 body);
  [[nodiscard]] u32 made() const { return made_; }

 private:
  struct LetParts {
    u32 let = kNone, name = kNone, value = kNone, binding = kNone;
    bool is_annotated = false;
  };

  void open_blocks(u32 body);
  void split_tuple(u32 let);
  void list_uses(u32 body);
  // `p_1` is `p`, where nothing else is called so.
  void shorten_names();
  void drop_annotation(u32 let);
  void place_value(u32 let);
  [[nodiscard]] LetParts parts_of(u32 let) const;
  [[nodiscard]] bool may_go(const LetParts& parts) const;
  [[nodiscard]] bool sees_same(u32 value, u32 use) const;
  [[nodiscard]] bool names_variable(u32 value) const;
  // The statement that a node belongs to.
  [[nodiscard]] u32 statement_of(u32 n, u32 block) const;
  [[nodiscard]] u32 block_of(u32 let) const;
  [[nodiscard]] bool is_evaluated_once(u32 use, u32 block) const;
  [[nodiscard]] bool is_evaluated_first(u32 use, u32 statement) const;
  [[nodiscard]] u32 next_statement(u32 let) const;
  [[nodiscard]] bool may_stand(u32 value, u32 use) const;
  void remove(const LetParts& parts);
  void forget_uses(u32 value);

  Draft& draft_;
  Facts& facts_;
  std::unordered_map<std::string_view, std::vector<u32>> bindings_;  // local ones, by name
  std::unordered_map<u32, u32> binding_of_;                          // by the node of the name
  std::unordered_map<u32, std::vector<u32>> uses_;                   // by binding
  std::unordered_set<std::string> words_;  // of the program, if it was asked for them
  std::vector<u32> split_names_;           // that a tuple bound
  u32 made_ = 0;
};

}  // namespace komuz::services
