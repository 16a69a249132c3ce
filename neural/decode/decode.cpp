// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>

#include "base/random.h"
#include "neural/decode/word_scores.h"

namespace komuz::neural {
namespace {

// The mask needs that many to end any program.
constexpr u32 kLeastTargetWords = 4;

// So many steps for each candidate are collected before the best of them are chosen.
constexpr u32 kMostWaiting = 4;
constexpr u32 kNoWord = ~u32{0};

// A word of a prefix, and the one before it: prefixes share what they have in common.
struct PastWord {
  u32 before = kNoWord;
  u8 word = 0;
};

// A prefix in the batch. It is copied for each of its continuations.
struct Row {
  Decoding prefix;
  u32 last = kNoWord;  // its last word
  f64 log_probability = 0;
  f64 tempered = 0;  // the same at the temperature of the draw
  f64 key = 0;       // what rows are ranked by (Unique, Beam)
  u32 times = 1;     // how often it has been drawn (Sample)
};
static_assert(std::is_trivially_copyable_v<Row>);

// A prefix that has ended.
struct Ended {
  u32 last = kNoWord;
  u32 times = 1;
  f64 log_probability = 0, key = 0;
};

// A row and a word behind it.
struct Step {
  u32 row = 0;
  u8 word = 0;
  u32 times = 1;
  f64 log_probability = 0, tempered = 0, key = 0;
};

// One run of decode(). Each round gives every row of the batch its next words, and keeps some of what that makes.
class Decoder {
 public:
  Decoder(Prefixes& batch, const ModelSize& size, const Source& source,
          const DecodeOptions& options)
      : options_(options),
        batch_(batch),
        scores_(kernels(options.level), size.words),
        tempered_(kernels(options.level), size.words),
        random_(options.seed) {
    rows_.push_back({.prefix = Decoding(source, std::min(kMostTargetWords, size.target))});
    if (options_.method == DecodeMethod::Sample) rows_[0].times = options_.count;
  }

  std::vector<Candidate> run() {
    std::vector<u8> words{kBegin}, types{0};
    std::vector<u32> from;
    while (!rows_.empty()) {
      if (options_.stop != nullptr && options_.stop->stop_requested()) return {};
      batch_.step(words, types);
      next_steps();
      if (ranks()) keep_best();
      from.clear();
      words.clear();
      types.clear();
      next_rows_.clear();
      for (const Step& step : steps_) {
        Row& row = next_rows_.emplace_back(rows_[step.row]);
        row.prefix.feed(step.word);
        past_.push_back({row.last, step.word});
        row.last = static_cast<u32>(past_.size()) - 1;
        row.log_probability = step.log_probability;
        row.tempered = step.tempered;
        row.key = step.key;
        row.times = step.times;
        if (row.prefix.is_done()) {
          ended_.push_back({row.last, row.times, row.log_probability, row.key});
          next_rows_.pop_back();
          continue;
        }
        words.push_back(step.word);
        types.push_back(static_cast<u8>(row.prefix.top_type()));
        from.push_back(step.row);
      }
      batch_.keep(from);
      std::swap(rows_, next_rows_);
    }
    if (ranks())
      std::stable_sort(ended_.begin(), ended_.end(), [](const Ended& a, const Ended& b) {
        return a.log_probability > b.log_probability;
      });
    std::vector<Candidate> candidates;
    for (const Ended& ended : ended_)
      candidates.push_back({words_up_to(ended.last), ended.log_probability, ended.times});
    return candidates;
  }

 private:
  [[nodiscard]] bool ranks() const {
    return options_.method == DecodeMethod::Unique || options_.method == DecodeMethod::Beam;
  }
  // Whether words are drawn, not ranked as they are.
  [[nodiscard]] bool draws() const {
    return options_.temperature > 0 && options_.method != DecodeMethod::Beam &&
           options_.method != DecodeMethod::Greedy;
  }

  [[nodiscard]] std::vector<u8> words_up_to(u32 last) const {
    std::vector<u8> words;
    for (; last != kNoWord; last = past_[last].before) words.push_back(past_[last].word);
    std::ranges::reverse(words);
    return words;
  }

  void next_steps() {
    steps_.clear();
    least_key_ = -INFINITY;
    for (const u32 i : order_of_rows()) {
      // No word makes a row more probable.
      if (rows_[i].log_probability < least_key_) break;
      const WordSet& allowed = rows_[i].prefix.allowed();
      scores_.take(batch_.logits(i), allowed, 1);
      if (draws()) tempered_.take(batch_.logits(i), allowed, options_.temperature);
      switch (options_.method) {
        case DecodeMethod::Unique:
        case DecodeMethod::Beam: all_words(i); break;
        case DecodeMethod::Sample: drawn_words(i); break;
        case DecodeMethod::Greedy: steps_.push_back(step(i, scores_.best())); break;
      }
    }
  }
  // Draws are in the order of the rows. Otherwise the most probable row is first: its words leave out many of the others'.
  const std::vector<u32>& order_of_rows() {
    order_.resize(rows_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    if (ranks() && !draws())
      std::sort(order_.begin(), order_.end(),
                [&](u32 a, u32 b) { return rows_[a].log_probability > rows_[b].log_probability; });
    return order_;
  }

  Step step(u32 row, u8 word) {
    const f64 all = rows_[row].log_probability + scores_.log_probability(word);
    return {.row = row,
            .word = word,
            .times = rows_[row].times,
            .log_probability = all,
            .tempered = draws() ? rows_[row].tempered + tempered_.log_probability(word) : all,
            .key = all};
  }

  // Unique: a search for the rows with the largest keys. Where words are drawn, the key is the log-probability plus noise
  // (Gumbel's distribution), made from the top down so that the largest key below a prefix is that of the prefix: the
  // best leaves then are draws without replacement (Kool, van Hoof and Welling, "Stochastic beams and where to find
  // them", 2019).
  void all_words(u32 row) {
    std::vector<Step>& steps = steps_;
    const size_t first = steps.size();
    const WordSet& allowed = rows_[row].prefix.allowed();
    if (!draws()) {
      const f64 so_far = rows_[row].log_probability;
      allowed.for_each([&](u8 word) {
        if (so_far + scores_.log_probability(word) >= least_key_) steps.push_back(step(row, word));
      });
      if (steps.size() >= size_t{kMostWaiting} * options_.count) leave_best();
      return;
    }
    allowed.for_each([&](u8 word) { steps.push_back(step(row, word)); });
    f64 largest = -INFINITY;
    for (size_t i = first; i < steps.size(); ++i) {
      steps[i].key = steps[i].tempered - exact_log(-exact_log(share()));
      largest = std::max(largest, steps[i].key);
    }
    const f64 above = rows_[row].key;
    for (size_t i = first; i < steps.size(); ++i) {
      const f64 key = steps[i].key;
      if (key == largest) {
        steps[i].key = above;
        continue;
      }
      const f64 v = above - key + exact_log(1 - exact_exp(key - largest));
      steps[i].key = above - std::max(0.0, v) - exact_log(1 + exact_exp(-std::abs(v)));
    }
  }

  static bool before(const Step& a, const Step& b) {
    return std::tuple(-a.key, a.row, a.word) < std::tuple(-b.key, b.row, b.word);
  }
  // The best steps so far, as many as asked for, in any order. Those with lower keys need not come.
  void leave_best() {
    if (steps_.size() <= options_.count) return;
    const auto last = steps_.begin() + options_.count - 1;
    std::nth_element(steps_.begin(), last, steps_.end(), before);
    least_key_ = last->key;
    steps_.resize(options_.count);
  }

  // Of what goes on and what has ended: as many as asked for, the largest keys. Keys never grow on the way.
  void keep_best() {
    leave_best();
    std::sort(steps_.begin(), steps_.end(), before);
    std::vector<f64> keys;
    for (const Ended& ended : ended_) keys.push_back(ended.key);
    std::sort(keys.begin(), keys.end(), std::greater<>());
    size_t ended = 0, kept = 0;
    while (kept < steps_.size() && kept + ended < options_.count) {
      if (ended < keys.size() && keys[ended] >= steps_[kept].key)
        ++ended;
      else
        ++kept;
    }
    steps_.resize(kept);
    // Those that have ended, and are no longer among the best.
    std::stable_sort(ended_.begin(), ended_.end(),
                     [](const Ended& a, const Ended& b) { return a.key > b.key; });
    if (ended_.size() > options_.count - kept) ended_.resize(options_.count - kept);
    // In the order of their rows, the first word of each goes on where it is.
    std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
      return std::tuple(a.row, a.word) < std::tuple(b.row, b.word);
    });
  }

  // Sample: as often as the row has been drawn, a word each time. Equal draws stay one row.
  void drawn_words(u32 row) {
    if (!draws()) {
      steps_.push_back(step(row, scores_.best()));
      return;
    }
    struct Share {
      u8 word;
      f64 share;
      u32 times = 0;
    };
    std::vector<Share> shares;
    rows_[row].prefix.allowed().for_each([&](u8 word) {
      shares.push_back({word, exact_exp(tempered_.log_probability(word))});
    });
    std::stable_sort(shares.begin(), shares.end(),
                     [](const Share& a, const Share& b) { return a.share > b.share; });
    f64 all = 0;
    size_t nucleus = 0;
    while (nucleus < shares.size() && (nucleus == 0 || all < options_.nucleus))
      all += shares[nucleus++].share;
    for (u32 draw = 0; draw < rows_[row].times; ++draw) {
      f64 left = share() * all;
      size_t i = 0;
      while (i + 1 < nucleus && left >= shares[i].share) left -= shares[i++].share;
      ++shares[i].times;
    }
    for (const Share& drawn : shares) {
      if (drawn.times == 0) continue;
      steps_.push_back(step(row, drawn.word));
      steps_.back().times = drawn.times;
    }
  }

  // A number above 0 and below 1.
  f64 share() { return (static_cast<f64>(random_.next() >> 12) + 0.5) * 0x1p-52; }

  const DecodeOptions& options_;
  Prefixes& batch_;
  WordScores scores_, tempered_;
  Random random_;
  std::vector<Row> rows_, next_rows_;
  std::vector<u32> order_;
  std::vector<Ended> ended_;
  std::vector<PastWord> past_;
  std::vector<Step> steps_;
  f64 least_key_ = 0;  // steps below it are not among the best
};

// Whether the model takes such a source, and can end a program.
bool can_decode(const Model& model, const WordLine& line) {
  return line.count != 0 && line.count <= model.size().source &&
         model.size().target >= kLeastTargetWords;
}
std::vector<u8> types_of(const WordLine& line) {
  std::vector<u8> types(line.count);
  for (u32 i = 0; i < line.count; ++i) types[i] = static_cast<u8>(line.types[i]);
  return types;
}

}  // namespace

std::vector<Candidate> decode_with(Prefixes& prefixes, const ModelSize& size, const Source& source,
                                   const DecodeOptions& options) {
  return Decoder(prefixes, size, source, options).run();
}

std::vector<Candidate> decode(const Model& model, const Source& source, const WordLine& line,
                              const DecodeOptions& options) {
  if (!can_decode(model, line)) return {};
  const EncodedSource encoded(model, line.view(), types_of(line), options.level);
  PrefixBatch batch(model, encoded, options.count, options.level);
  return decode_with(batch, model.size(), source, options);
}

Result<std::vector<Candidate>> decode_on(ModelDevice& device, const Model& model,
                                         const Source& source, const WordLine& line,
                                         const DecodeOptions& options) {
  if (!can_decode(model, line)) return std::vector<Candidate>();
  Result<std::unique_ptr<DevicePrefixes>> batch =
      device.prefixes(line.view(), types_of(line), options.count);
  if (batch.problem()) return batch.problem();
  std::vector<Candidate> candidates = decode_with(*batch.value(), model.size(), source, options);
  if (batch.value()->problem()) return batch.value()->problem();
  return candidates;
}

ModelVocabulary model_vocabulary() {
  return {.hash = vocabulary_hash(), .words = word_count(), .types = kScalarCount};
}

}  // namespace komuz::neural
