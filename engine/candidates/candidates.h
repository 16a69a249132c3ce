// SPDX-License-Identifier: Apache-2.0
// Where candidates come from: lists in memory and streams of JSONL, a batch at a time.
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
#include "engine/support/input_error.h"

namespace komuz::engine {

struct VariantNumbers;
class SearchCandidates;

struct Candidate {
  std::string_view id;
  std::string_view source;
  std::string_view error;  // not empty: no source could be had, and why
  // Of a variant of a sketch (ProgramOptions::sketch): its decisions, or else its number. `source` is the sketch's
  // text then.
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

// A sequence of candidates. How it is cut into batches never shows in results: it bounds memory, and lets a stream be
// answered while it is still being written.
class CandidateSource {
 public:
  virtual ~CandidateSource() = default;
  // Appends up to `most` candidates to the batch; none: the end.
  virtual void read(CandidateBatch& batch, size_t most) = 0;
  // It is asked for no more once this is requested, so it may end early then.
  virtual void set_stop(const std::stop_token&) {}
  // How many there are in all, if that is known before the end.
  [[nodiscard]] virtual std::optional<u64> total() const { return std::nullopt; }
  // Where all candidates are variants of one sketch, each of which is a number: which they are.
  [[nodiscard]] virtual const VariantNumbers* numbers() const { return nullptr; }
  // Where they are the proposals of a search: that one.
  [[nodiscard]] virtual SearchCandidates* search() { return nullptr; }
  // After the end: what is wrong with the input as a whole, so that candidates may be missing.
  [[nodiscard]] virtual Problem problem() const { return std::nullopt; }
};

// A batch is also full when its texts reach this size.
inline constexpr size_t kMaxBatchText = size_t{64} << 20;

// Candidates in memory, which the caller keeps alive. An empty id becomes the number of the candidate, from 1.
class CandidateList final : public CandidateSource {
 public:
  explicit CandidateList(std::span<const Candidate> candidates) : candidates_(candidates) {}
  void read(CandidateBatch& batch, size_t most) override;
  [[nodiscard]] std::optional<u64> total() const override { return candidates_.size(); }

 private:
  std::span<const Candidate> candidates_;
  size_t next_ = 0;
};

// Fills the buffer with the next bytes of a stream, as many as there are now, waiting only for the first; 0: the end.
using ReadBytes = std::function<size_t(std::span<char> buffer)>;

// What a stream asks between its candidates: the best of those before.
struct RankRequest {
  u64 before = 0;            // how many candidates stand before it
  u32 most = 0;              // programs, from 1 to kMostRankRequest
  std::string id;            // empty: it has none
  bool is_distinct = false;  // of each behaviour the best alone
};
inline constexpr u32 kMostRankRequest = 1000;
// Returns why it cannot be answered; empty: it is.
using AskRank = std::function<std::string(const RankRequest&)>;

// JSONL: {"id": "a17", "source": "pub fn …"} a line. `id` may be a string, an integer, or absent: then it is the line's
// number. A line that is no such object becomes a candidate with an error that names `file` and the line; blank lines
// are skipped. {"rank": 10} is no candidate but a request, where somebody answers these. A stream that ends inside of an
// object broke off: that is its problem. Holds one line and one buffer, whatever the stream's length.
class JsonlCandidates final : public CandidateSource {
 public:
  JsonlCandidates(std::string_view file, ReadBytes read_bytes);
  ~JsonlCandidates() override;
  // Calls it on the thread that reads, when the request's line is read: candidates before it may not be done by then.
  void answer_ranks(AskRank ask);
  void read(CandidateBatch& batch, size_t most) override;
  [[nodiscard]] Problem problem() const override;

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

inline constexpr size_t kMaxCandidateLine = size_t{32} << 20;  // bytes
// A longer line is passed over, up to so many bytes: what goes on behind them (/dev/zero) has no candidates.
inline constexpr size_t kMostPassedOver = size_t{1} << 28;

// One source after the other.
class CandidateChain final : public CandidateSource {
 public:
  void add(std::unique_ptr<CandidateSource> source) { sources_.push_back(std::move(source)); }
  void read(CandidateBatch& batch, size_t most) override;
  [[nodiscard]] std::optional<u64> total() const override;
  // The first one's that has one.
  [[nodiscard]] Problem problem() const override;

 private:
  std::vector<std::unique_ptr<CandidateSource>> sources_;
  size_t current_ = 0;
};

}  // namespace komuz::engine
