// SPDX-License-Identifier: Apache-2.0
// The best programs so far, where nobody asks for all rows. They have the ranks, and the numbers of duplicates, that
// they would have among all rows. Other programs are forgotten at once, so memory and ranking time depend on how many
// programs are wanted, not on the number of candidates. Alternatively the best behaviours: of programs that behave
// the same only the best is kept, and ranks count behaviours.
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

  // Adds the row of a program that no earlier candidate had. `number` is the candidate's, larger than all before.
  void add(const ResultRow& row, std::string_view id, u32 number, const ScoreLine& line = {});
  // Adds one of the best where these are known already, in input order, with its number of copies, and the number of
  // copies of programs with its key that precede it.
  void add_known(const ResultRow& row, std::string_view id, u32 number, u64 copies,
                 u64 copies_before, const ScoreLine& line = {});
  // Adds a duplicate of the program with that number.
  void add_copy(u32 number);
  // Replaces the rows of the results by these, in input order, ranks them, and sets the number of copies of each.
  void write(Results& out) const;

 private:
  struct Program {
    ResultRow row;
    u32 number = 0;
    std::string id;
    u64 copies = 0;
    // Copies of programs with its key at the time that it came: they precede it in the ranking.
    u64 copies_before = 0;
    ScoreLine line = {};
  };
  // Programs with one key, in input order.
  struct Group {
    std::vector<Program> programs;
    u64 copies = 0;  // of all of them
  };
  struct Place {
    Group* group;
    size_t at;
  };
  // The kept program with the same behaviour, if there is one.
  [[nodiscard]] std::optional<u32> same_behaviour(const ResultRow& row) const;
  void drop(u32 number);

  ScoreKind score_;
  u64 most_;
  bool of_behaviours_;
  std::map<RankKey, Group> groups_;
  std::unordered_map<u32, Place> places_;  // by number
  // Numbers of the kept programs, by behaviour, if behaviours are wanted.
  std::unordered_map<u64, u32> by_behaviour_;
};

}  // namespace komuz::engine
