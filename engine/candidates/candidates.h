// SPDX-License-Identifier: Apache-2.0
// Sources of candidates: lists in memory and streams of JSONL, read a batch at a time.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"
#include "engine/support/shown.h"

namespace komuz::engine {

struct VariantNumbers;
class SearchCandidates;

struct Candidate {
  std::string_view id;
  std::string_view source;
  std::string_view error;  // not empty: why there is no source text
  // A variant of a sketch (EvaluateOptions::sketch) has decisions, or else its number. `source` is then the sketch's
  // text.
  std::span<const u32> decisions = {};
  static constexpr u64 kNoNumber = ~u64{0};
  u64 number = kNoNumber;

  [[nodiscard]] bool is_variant() const { return !decisions.empty() || number != kNoNumber; }
};

// Candidates and the memory behind their texts. `clear` keeps the memory.
class CandidateBatch {
 public:
  CandidateBatch();
  ~CandidateBatch();
  CandidateBatch(CandidateBatch&&) noexcept;
  CandidateBatch& operator=(CandidateBatch&&) noexcept;

  std::vector<Candidate> rows;

  void clear();
  // Memory for a text that stays where it is until clear().
  [[nodiscard]] std::span<char> allocate(size_t bytes);
  [[nodiscard]] std::string_view keep(std::string_view text);
  [[nodiscard]] size_t text_bytes() const { return text_bytes_; }

 private:
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0, used_ = 0, text_bytes_ = 0;
};

// A sequence of candidates. The size of the batches never shows in results: it bounds memory, and lets a stream be
// answered while it is still being written.
class CandidateSource {
 public:
  virtual ~CandidateSource() = default;
  // Appends up to `most` candidates to the batch. Appending none means the end.
  virtual void read(CandidateBatch& batch, size_t most) = 0;
  // Once a stop is requested nobody reads on, so the source may end early.
  virtual void set_stop(const std::stop_token&) {}
  // The number of all candidates, if it is known before the end.
  [[nodiscard]] virtual std::optional<u64> total() const { return {}; }
  // The numbers of the variants, where every candidate is a variant of one sketch; else null.
  [[nodiscard]] virtual const VariantNumbers* numbers() const { return nullptr; }
  // The search, where the candidates are its proposals; else null.
  [[nodiscard]] virtual SearchCandidates* search() { return nullptr; }
  // After the end: a fault of the input as a whole, because of which candidates may be missing.
  virtual Problem problem() const { return {}; }
};

// A batch is also full when its texts reach this size.
inline constexpr size_t kMaxBatchText = size_t{64} << 20;

// Candidates in memory, which the caller keeps alive. A candidate with an empty id gets its number, from 1, as its
// id.
class CandidateList final : public CandidateSource {
 public:
  explicit CandidateList(std::span<const Candidate> candidates) : candidates_(candidates) {}
  void read(CandidateBatch& batch, size_t most) override;
  [[nodiscard]] std::optional<u64> total() const override { return candidates_.size(); }

 private:
  std::span<const Candidate> candidates_;
  size_t next_ = 0;
};

// Fills the buffer with the next bytes of a stream. Waits only for the first byte, then takes what is there; 0 is the
// end.
using ReadBytes = std::function<size_t(std::span<char> buffer)>;

// A request between the candidates of a stream: the best candidates so far.
struct RankRequest {
  u64 before = 0;            // number of candidates in front of it
  u32 most = 0;              // programs, from 1 to kMostRankRequest
  std::string id;            // empty: it has none
  bool is_distinct = false;  // only the best candidate of each behaviour
};
inline constexpr u32 kMostRankRequest = 1000;
// Returns why the request cannot be answered; empty if it is answered.
using AskRank = std::function<std::string(const RankRequest&)>;

// JSONL: a line is {"id": "a17", "source": "pub fn …"}. `id` may be a string or an integer; without an id the
// candidate gets the number of its line. A line of another form becomes a candidate with an error that names `file`
// and the line. Blank lines are skipped. {"rank": 10} is no candidate but a request, if somebody answers requests. A
// stream that ends inside of an object has broken off, which is its problem. The reader holds one line and one
// buffer, whatever the stream's length.
class JsonlCandidates final : public CandidateSource {
 public:
  JsonlCandidates(std::string_view file, ReadBytes read_bytes);
  ~JsonlCandidates() override;
  // `ask` is called on the reading thread when the line of the request is read. Candidates in front of it may still
  // be running.
  void answer_ranks(AskRank ask);
  void read(CandidateBatch& batch, size_t most) override;
  Problem problem() const override;

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

inline constexpr size_t kMaxCandidateLine = size_t{32} << 20;  // bytes
// A longer line is passed over, up to this many bytes: an input that goes on behind them (/dev/zero) has no
// candidates.
inline constexpr size_t kMostPassedOver = size_t{1} << 28;

// Several sources, one after the other.
class CandidateChain final : public CandidateSource {
 public:
  void add(std::unique_ptr<CandidateSource> source) { sources_.push_back(std::move(source)); }
  void read(CandidateBatch& batch, size_t most) override;
  [[nodiscard]] std::optional<u64> total() const override;
  // The problem of the first source that has one.
  Problem problem() const override;

 private:
  std::vector<std::unique_ptr<CandidateSource>> sources_;
  size_t current_ = 0;
};

}  // namespace komuz::engine
