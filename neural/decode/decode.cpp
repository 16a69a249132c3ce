// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "base/random.h"
#include "neural/decode/word_scores.h"

namespace komuz::neural {
namespace {

// The mask needs that many to end any program.
constexpr u32 kLeastTargetWords = 4;

// A prefix in the batch, or one that has ended.
struct Row {
  Decoding prefix;
  std::vector<u8> words = {};
  f64 log_probability = 0;
  f64 tempered = 0;  // the same at the temperature of the draw
  f64 key = 0;       // what rows are ranked by (Unique, Beam)
  u32 times = 1;     // how often it has been drawn (Sample)
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
    while (!rows_.empty()) {
      batch_.step(words, types);
      std::vector<Step> steps = next_steps();
      if (ranks()) keep_best(steps);
      std::vector<u32> from;
      std::vector<Row> rows;
      words.clear();
      types.clear();
      for (const Step& step : steps) {
        Row row = rows_[step.row];
        row.prefix.feed(step.word);
        row.words.push_back(step.word);
        row.log_probability = step.log_probability;
        row.tempered = step.tempered;
        row.key = step.key;
        row.times = step.times;
        if (row.prefix.is_done()) {
          ended_.push_back(std::move(row));
          continue;
        }
        words.push_back(step.word);
        types.push_back(static_cast<u8>(row.prefix.top_type()));
        from.push_back(step.row);
        rows.push_back(std::move(row));
      }
      batch_.keep(from);
      rows_ = std::move(rows);
    }
    if (ranks())
      std::stable_sort(ended_.begin(), ended_.end(), [](const Row& a, const Row& b) {
        return a.log_probability > b.log_probability;
      });
    std::vector<Candidate> candidates;
    for (Row& row : ended_)
      candidates.push_back({std::move(row.words), row.log_probability, row.times});
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

  std::vector<Step> next_steps() {
    std::vector<Step> steps;
    for (u32 i = 0; i < rows_.size(); ++i) {
      const WordSet& allowed = rows_[i].prefix.allowed();
      scores_.take(batch_.logits(i), allowed, 1);
      if (draws()) tempered_.take(batch_.logits(i), allowed, options_.temperature);
      switch (options_.method) {
        case DecodeMethod::Unique:
        case DecodeMethod::Beam: all_words(i, steps); break;
        case DecodeMethod::Sample: drawn_words(i, steps); break;
        case DecodeMethod::Greedy: steps.push_back(step(i, scores_.best())); break;
      }
    }
    return steps;
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
  void all_words(u32 row, std::vector<Step>& steps) {
    const size_t first = steps.size();
    rows_[row].prefix.allowed().for_each([&](u8 word) { steps.push_back(step(row, word)); });
    if (!draws()) return;
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

  // Of what goes on and what has ended: as many as asked for, the largest keys. Keys never grow on the way.
  void keep_best(std::vector<Step>& steps) {
    const auto before = [](const Step& a, const Step& b) {
      return std::tuple(-a.key, a.row, a.word) < std::tuple(-b.key, b.row, b.word);
    };
    std::vector<f64> keys;
    for (const Row& row : ended_) keys.push_back(row.key);
    std::sort(keys.begin(), keys.end(), std::greater<>());
    if (steps.size() > options_.count) {
      std::nth_element(steps.begin(), steps.begin() + options_.count, steps.end(), before);
      steps.resize(options_.count);
    }
    std::sort(steps.begin(), steps.end(), before);
    size_t ended = 0, kept = 0;
    while (kept < steps.size() && kept + ended < options_.count) {
      if (ended < keys.size() && keys[ended] >= steps[kept].key)
        ++ended;
      else
        ++kept;
    }
    steps.resize(kept);
    // Those that have ended, and are no longer among the best.
    std::stable_sort(ended_.begin(), ended_.end(),
                     [](const Row& a, const Row& b) { return a.key > b.key; });
    if (ended_.size() > options_.count - kept)
      ended_.erase(ended_.begin() + static_cast<std::ptrdiff_t>(options_.count - kept),
                   ended_.end());
    // In the order of their rows, the first word of each goes on where it is.
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
      return std::tuple(a.row, a.word) < std::tuple(b.row, b.word);
    });
  }

  // Sample: as often as the row has been drawn, a word each time. Equal draws stay one row.
  void drawn_words(u32 row, std::vector<Step>& steps) {
    if (!draws()) {
      steps.push_back(step(row, scores_.best()));
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
      steps.push_back(step(row, drawn.word));
      steps.back().times = drawn.times;
    }
  }

  // A number above 0 and below 1.
  f64 share() { return (static_cast<f64>(random_.next() >> 12) + 0.5) * 0x1p-52; }

  const DecodeOptions& options_;
  Prefixes& batch_;
  WordScores scores_, tempered_;
  Random random_;
  std::vector<Row> rows_, ended_;
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
