// SPDX-License-Identifier: Apache-2.0
// Arguments for candidates whose parameters differ from those of the signature that was found first. The worker that
// first meets a signature matches it with the cases, once. Not part of the engine's door.
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
  // The tables outlive this object. `held_out` is null if there are no held-out cases.
  OwnSignatures(const CasesTable& cases, const CasesTable* held_out);

  // For the code that makes the suites. No thread calls find() at that time.
  [[nodiscard]] TypedColumns& columns() { return cases_; }
  [[nodiscard]] TypedColumns& held_out_columns() { return *held_out_; }
  // Called once the suite is made: other columns may take as much room as its arguments.
  void allow(const CaseArguments& arguments);

  struct Match {
    std::string problem;           // not empty: the cases do not fit it, and why
    std::string held_out_problem;  // the same for the held-out cases, which do not rank
    CaseArguments arguments, held_out;

    [[nodiscard]] size_t bytes() const;
  };
  // Any thread may call it. Returns null after a stop. A signature whose names are no columns blocks no other thread.
  [[nodiscard]] std::shared_ptr<const Match> find(const Signature& signature,
                                                  const std::stop_token& stop);
  [[nodiscard]] bool names_column(std::span<const std::string> names) const {
    return cases_.names_column(names);
  }
  [[nodiscard]] const CasesTable& table() const { return cases_.table(); }
  // Bytes of all known signatures, used or not.
  [[nodiscard]] size_t bytes() const;

 private:
  // The columns that a signature takes, or why it takes none.
  struct Matched {
    std::string problem, held_out_problem;
    TypedColumns::Sources sources, held_out;
  };
  [[nodiscard]] Matched match(const Signature& signature) const;
  [[nodiscard]] std::shared_ptr<const Match> take(const Signature& signature, Matched matched,
                                                  const std::stop_token& stop);
  [[nodiscard]] std::shared_ptr<const Match> look_up(const std::string& text);
  void forget();

  // Limits on the signatures that are known at a time: their number, and the bytes of those that no candidate uses
  // now.
  static constexpr size_t kMostKnown = 4096, kMostBytes = size_t{256} << 20;
  std::mutex mutex_;
  TypedColumns cases_;
  std::optional<TypedColumns> held_out_;
  u64 room_ = u64{1} << 28;  // of a column
  std::unordered_map<std::string, std::shared_ptr<const Match>> known_;
  size_t known_bytes_ = 0;
  size_t kept_ = 0;  // bytes, when they were forgotten last
};

// The arguments of the failing case, for a failed candidate with a signature of its own, on one table. Many
// candidates have the signature of the candidate before. For one thread.
class ArgumentKeeper {
 public:
  void keep(const CaseArguments& arguments, Failure& failure);

 private:
  u32 case_index_ = 0;
  std::string signature_;  // empty: nothing is kept yet
  std::vector<KeptValue> kept_;
};

}  // namespace komuz::engine
