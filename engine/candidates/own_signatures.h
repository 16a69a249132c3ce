// SPDX-License-Identifier: Apache-2.0
// Candidates whose parameters are others than those of the signature that was found first: what they run on. Each
// signature is matched with the cases once, by whichever worker comes to it first. Not part of the engine's door.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cases/typed_columns.h"
#include "engine/results/failure_list.h"

namespace komuz::engine {

class OwnSignatures {
 public:
  // The tables outlive it. `held_out`: null, there are no such cases.
  OwnSignatures(const CasesTable& cases, const CasesTable* held_out);

  // For who makes the suites. Nobody calls find() at that time.
  [[nodiscard]] TypedColumns& columns() { return cases_; }
  [[nodiscard]] TypedColumns& held_out_columns() { return *held_out_; }
  // The suite is made: columns may have as much room.
  void allow(const CaseArguments& arguments);

  struct Match {
    std::string problem;           // not empty: the cases do not fit it, and why
    std::string held_out_problem;  // … those that are held out, by which nobody is ranked
    CaseArguments arguments, held_out;

    [[nodiscard]] size_t bytes() const;
  };
  // By any thread. Null where a stop came. One whose names are no columns keeps nobody waiting.
  [[nodiscard]] std::shared_ptr<const Match> find(const Signature& signature,
                                                  const std::stop_token& stop);
  [[nodiscard]] bool names_column(std::span<const std::string> names) const {
    return cases_.names_column(names);
  }
  [[nodiscard]] const CasesTable& table() const { return cases_.table(); }
  // Of what is known, whether somebody uses it or not.
  [[nodiscard]] size_t bytes() const;

 private:
  // Which columns it takes; or why it takes none.
  struct Matched {
    std::string problem, held_out_problem;
    TypedColumns::Sources sources, held_out;
  };
  [[nodiscard]] Matched match(const Signature& signature) const;
  [[nodiscard]] std::shared_ptr<const Match> take(const Signature& signature, Matched matched,
                                                  const std::stop_token& stop);
  [[nodiscard]] std::shared_ptr<const Match> look_up(const std::string& text);
  void forget();

  // So many signatures are known at a time, with so many bytes beside those that are in use.
  static constexpr size_t kMostKnown = 4096, kMostBytes = size_t{256} << 20;
  std::mutex mutex_;
  TypedColumns cases_;
  std::optional<TypedColumns> held_out_;
  u64 room_ = u64{1} << 28;  // of a column
  std::unordered_map<std::string, std::shared_ptr<const Match>> known_;
  size_t known_bytes_ = 0;
  size_t kept_ = 0;  // bytes, when they were forgotten last
};

// The arguments of the failing case, for a failure of a candidate with a signature of its own, on one table. Many have
// those of the one before. For one thread.
class ArgumentKeeper {
 public:
  void keep(const CaseArguments& arguments, Failure& failure);

 private:
  u32 case_index_ = 0;
  std::string signature_;  // empty: nothing is kept yet
  std::vector<KeptValue> kept_;
};

}  // namespace komuz::engine
