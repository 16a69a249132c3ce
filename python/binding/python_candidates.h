// SPDX-License-Identifier: Apache-2.0
// Candidates that an iterator of Python gives, and the texts of all candidates of a run.
#pragma once
#include <pybind11/pybind11.h>

#include <mutex>
#include <string>

#include "engine/candidates/candidates.h"
#include "engine/support/text_list.h"
#include "python/binding/stoppable.h"

namespace komuz::python {

// The iterator gives tuples of two texts, an id, which may be empty, and a source. An exception of it ends the run.
class PythonCandidates final : public engine::CandidateSource {
 public:
  // The caller keeps the iterator, since this object may end without the interpreter's lock. Candidates without an id are numbered on from
  // `before`.
  PythonCandidates(pybind11::iterator& iterator, std::optional<u64> total, Failable& run,
                   u64 before = 0)
      : iterator_(iterator), total_(total), run_(run), given_(before) {}

  void read(engine::CandidateBatch& batch, size_t most) override;
  [[nodiscard]] std::optional<u64> total() const override { return total_; }

 private:
  pybind11::iterator& iterator_;
  std::optional<u64> total_;
  Failable& run_;
  bool has_ended_ = false;
  u64 given_;
};

// Keeps the texts as they pass, in input order.
class KeptTexts final : public engine::CandidateSource {
 public:
  // `mutex` is held while texts are added; null: nobody looks at them meanwhile.
  KeptTexts(engine::CandidateSource& source, engine::TextList& texts, std::mutex* mutex = nullptr)
      : source_(source), texts_(texts), mutex_(mutex) {}

  void read(engine::CandidateBatch& batch, size_t most) override;
  void set_stop(const std::stop_token& stop) override { source_.set_stop(stop); }
  [[nodiscard]] std::optional<u64> total() const override { return source_.total(); }
  Problem problem() const override { return source_.problem(); }

 private:
  engine::CandidateSource& source_;
  engine::TextList& texts_;
  std::mutex* mutex_;
};

}  // namespace komuz::python
