// SPDX-License-Identifier: Apache-2.0
// The bounds of recursion for a program of any number of functions, from lists of calls and their components. It
// runs on the host, on one lane, and gives what recursion.h gives for smaller programs.
#pragma once
#include <algorithm>
#include <vector>

#include "frontend_gpu/code/recursion_rules.h"
#include "lang/check/call_graph.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

class LongRecursion {
 public:
  explicit LongRecursion(Columns& c)
      : c_(c), n_(c.functions), item_of_(n_), written_(n_), callers_begin_(n_ + 1), seen_(n_) {
    for (Index item = 0; item < c.items; ++item)
      if (const u32 f = c.item_ordinal[item]; f < n_) item_of_[f] = item;
    list_calls();
  }

  template <class G>
  void bound(G& g) {
    for (u32 f = 0; f < n_; ++f) written_[f] = checked_rec(g, c_, item_of_[f]);
    calls_.walk([&](std::span<const u32> members) {
      add_component(members);
      return true;
    });
    count_work(c_, n_);
    for (u32 f = 0; f < n_; ++f) {
      const Component& own = component_of(f);
      if (!own.is_cycle) {
        report_useless(g, c_, item_of_[f], written_[f]);
        continue;
      }
      if (bound_function(g, c_, item_of_[f], written_[f], own.bounds))
        report_missing(g, c_, item_of_[f], note(f, own.bounds.bound()));
    }
  }

 private:
  struct Component {
    bool is_cycle = false;
    CycleBounds bounds;
  };
  // How many calls are looked at for the way back to a function: as many as a program with rows of bits has.
  static constexpr u32 kMostLooks = 64 * 64;

  void list_calls() {
    std::vector<u64> calls;  // caller and callee
    count_work(c_, c_.uses);
    for (u32 u = 0; u < c_.uses; ++u) {
      const u32 callee = called_function(c_, u);
      const u32 caller = c_.item_ordinal[c_.item[c_.use_node[u]]];
      if (callee < n_ && caller < n_) calls.push_back(u64{caller} << 32 | callee);
    }
    std::ranges::sort(calls);
    const auto repeated = std::ranges::unique(calls);
    calls.erase(repeated.begin(), repeated.end());
    size_t k = 0;
    for (u32 f = 0; f < n_; ++f) {
      static_cast<void>(calls_.add_function());
      for (; k < calls.size() && calls[k] >> 32 == f; ++k) {
        const u32 callee = static_cast<u32>(calls[k]);
        calls_.callees().push_back(callee);
        ++callers_begin_[callee + 1];
      }
    }
    for (u32 f = 0; f < n_; ++f) callers_begin_[f + 1] += callers_begin_[f];
    callers_.resize(calls.size());
    std::vector<u32> next = callers_begin_;
    for (const u64 call : calls)
      callers_[next[static_cast<u32>(call)]++] = static_cast<u32>(call >> 32);
  }

  [[nodiscard]] const Component& component_of(u32 f) const {
    return components_[calls_.node(f).component - 1];
  }
  [[nodiscard]] bool is_in_cycle_with(u32 f, u32 other) const {
    return calls_.node(f).component == calls_.node(other).component;
  }
  // Keeps the members in the order of their numbers.
  void add_component(std::span<const u32> members) {
    members_.assign(members.begin(), members.end());
    std::ranges::sort(members_);
    Component own;
    own.is_cycle =
        members_.size() > 1 || std::ranges::binary_search(calls_.calls(members_[0]), members_[0]);
    for (const u32 member : members_) own.bounds.add(written_[member]);
    components_.push_back(own);
  }

  [[nodiscard]] u32 name_of(u32 f) const {
    return u32{c_.token_start[c_.token[c_.item_name[item_of_[f]]]]};
  }
  // Finds a way from function f, which is in a cycle, back to itself: the shortest one if it passes at most two
  // other functions.
  RecursionNote note(u32 f, u32 bound) {
    RecursionNote note{bound};
    for (u32 k = callers_begin_[f]; k < callers_begin_[f + 1]; ++k) seen_[callers_[k]] = f + 1;
    const auto calls_f = [&](u32 other) { return seen_[other] == f + 1; };
    const std::span<const u32> direct = calls_.calls(f);
    count_work(c_, callers_begin_[f + 1] - callers_begin_[f] + static_cast<u32>(direct.size()));
    if (calls_f(f)) return note;
    if (const auto at = std::ranges::find_if(direct, calls_f); at != direct.end()) {
      note.first = name_of(*at);
      return note;
    }
    if (find_way(f, note, calls_f)) return note;
    note.more = true;
    static_cast<void>(find_way(f, note, [&](u32 other) { return is_in_cycle_with(f, other); }));
    return note;
  }
  // Looks for a way through a function that f calls, and a wanted function that this one calls.
  template <class IsWanted>
  bool find_way(u32 f, RecursionNote& note, const IsWanted& is_wanted) {
    u32 looks = 0;
    for (const u32 next : calls_.calls(f)) {
      if (!is_in_cycle_with(f, next)) continue;
      for (const u32 behind : calls_.calls(next)) {
        if (++looks > kMostLooks) break;
        if (behind == next || !is_wanted(behind)) continue;
        note.first = name_of(next);
        note.second = name_of(behind);
        count_work(c_, looks);
        return true;
      }
    }
    count_work(c_, looks);
    return false;
  }

  Columns& c_;
  u32 n_;
  CallGraph<Growing> calls_;
  std::vector<Index> item_of_;
  std::vector<u32> written_;
  std::vector<u32> callers_begin_, callers_;  // sorted by the functions that they call
  std::vector<u32> seen_;                     // f + 1: it calls f
  std::vector<u32> members_;
  std::vector<Component> components_;  // in the order in which they are closed
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
