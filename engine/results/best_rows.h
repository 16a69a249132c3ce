// SPDX-License-Identifier: Apache-2.0
// The best programs so far, so many of them, where nobody asks for all rows: they have the ranks, and the duplicates, that they
// would have among all. What is not among them is forgotten at once, so memory and the time to rank them depend on how many
// are wanted, not on how many candidates there were. Or the best behaviours: of programs that do the same the best one is kept, and
// ranks count behaviours.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/results/results.h"

namespace komuz::engine {

class BestRows {
 public:
  BestRows(ScoreKind score, u64 most, bool of_behaviours = false)
      : score_(score), most_(most), of_behaviours_(of_behaviours) {}

  // The row of a program that no candidate had before; `number` is that of its candidate, larger than all before.
  void add(const ResultRow& row, std::string_view id, u32 number);
  // One of the best, where they are known already, in input order: how many copies it has, and programs with its key have that
  // come before it.
  void add_known(const ResultRow& row, std::string_view id, u32 number, u64 copies,
                 u64 copies_before);
  // A duplicate of the program with that number.
  void add_copy(u32 number);
  // Puts the rows, in input order, in the place of those that the results have, ranks them, and says how many copies each has.
  void write(Results& out) const;

 private:
  struct Program {
    ResultRow row;
    u32 number = 0;
    std::string id;
    u64 copies = 0;
    // Of programs with its key, when it came: they come before it in the ranking.
    u64 copies_before = 0;
  };
  // Programs with one key, in input order.
  struct Group {
    std::vector<Program> programs;
    u64 copies = 0;  // of them all
  };
  struct Place {
    Group* group;
    size_t at;
  };
  // A program that is kept and does the same; none: there is no such.
  [[nodiscard]] std::optional<u32> same_behaviour(const ResultRow& row) const;
  void drop(u32 number);

  ScoreKind score_;
  u64 most_;
  bool of_behaviours_;
  std::map<RankKey, Group> groups_;
  std::unordered_map<u32, Place> places_;  // by number
  // Numbers of those that are kept, where behaviours are.
  std::unordered_map<u64, u32> by_behaviour_;
};

}  // namespace komuz::engine
