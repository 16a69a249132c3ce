// SPDX-License-Identifier: Apache-2.0
#include "neural/corpus/corpus.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "base/counts.h"
#include "base/hash.h"
#include "engine/support/hash_slots.h"
#include "engine/support/hex_text.h"
#include "engine/support/worker_pool.h"
#include "neural/corpus/pair_maker.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

// Programs that a worker takes at a time (where each takes long, one), and the most of such blocks in a round.
constexpr u32 kShortBlock = 32, kMostBlocks = 128;
// Options whose programs have all been seen, as there are only so few, end when so many programs in a row gave nothing new.
constexpr u64 kFruitless = 10'000;

bool takes_long(const CorpusOptions& options) {
  return options.draws > 0 || options.teaching == Teaching::Search ||
         options.teaching == Teaching::Model;
}

u64 hash_of(const WordSet& set) {
  return fold_multiply(set.bits[0] ^ fold_multiply(set.bits[1], 0xA076'1D64'78BD'642Fu),
                       set.bits[2] ^ fold_multiply(set.bits[3], 0xE703'7ED1'A0B4'28DBu));
}

// Takes pairs in the order of their programs.
class CorpusWriter {
 public:
  CorpusWriter(const CorpusOptions& options, Corpus& corpus) : options_(options), corpus_(corpus) {
    const u64 rows = std::min<u64>(options.count, u64{1} << 22);
    for (std::vector<u8>* column :
         {&corpus.source, &corpus.source_types, &corpus.target, &corpus.target_types})
      column->reserve(rows * kMostSourceWords);
    corpus.mask.reserve(rows * kMostTargetWords);
  }

  [[nodiscard]] bool is_full() const { return corpus_.size() == options_.count; }
  [[nodiscard]] u64 fruitless() const { return fruitless_; }

  void add(u64 program, const MadePairs& made) {
    corpus_.tried += 1;
    corpus_.wrong += made.wrong;
    corpus_.windows += made.windows;
    corpus_.unwritten += made.unwritten;
    corpus_.equal += made.equal;
    ++fruitless_;
    for (const Pair& pair : made.pairs) {
      if (is_full()) return;
      if (!pair.is_another) is_known_ = !seen_.insert(pair.hash).second;
      if (is_known_) {
        ++corpus_.equal;
        continue;
      }
      fruitless_ = 0;
      add(program, pair);
    }
  }

 private:
  void add(u64 program, const Pair& pair) {
    put(pair.source, corpus_.source, corpus_.source_types);
    put(pair.target, corpus_.target, corpus_.target_types);
    const size_t first = corpus_.mask.size();
    corpus_.mask.resize(first + kMostTargetWords, empty_row_);
    for (u32 at = 0; at < pair.target.count; ++at)
      corpus_.mask[first + at] = row_of(pair.masks[at]);
    corpus_.classes.push_back(static_cast<u8>(pair.size_class));
    corpus_.families.push_back(static_cast<u8>(pair.family));
    corpus_.splits.push_back(static_cast<u8>(pair.split));
    corpus_.programs.push_back(program);
    if (options_.draws > 0) corpus_.advantages.push_back(pair.advantage);
    corpus_.cheaper += pair.is_cheaper ? 1 : 0;
    corpus_.unsaid += pair.is_unsaid ? 1 : 0;
  }
  static void put(const WordLine& line, std::vector<u8>& words, std::vector<u8>& types) {
    const size_t first = words.size();
    words.resize(first + kMostSourceWords, kPad);
    types.resize(first + kMostSourceWords, static_cast<u8>(Scalar::None));
    std::copy_n(line.words, line.count, words.begin() + static_cast<i64>(first));
    std::transform(line.types, line.types + line.count, types.begin() + static_cast<i64>(first),
                   [](Scalar type) { return static_cast<u8>(type); });
  }
  i32 row_of(const WordSet& mask) {
    const auto next = static_cast<u32>(corpus_.masks.size());
    const u32 row = rows_.find_or_add(hash_of(mask), next,
                                      [&](u32 known) { return corpus_.masks[known] == mask; });
    if (row == next) corpus_.masks.push_back(mask);
    return static_cast<i32>(row);
  }

  const CorpusOptions& options_;
  Corpus& corpus_;
  std::unordered_set<u64> seen_;
  engine::HashSlots rows_;            // of masks
  const i32 empty_row_ = row_of({});  // what stands behind END
  u64 fruitless_ = 0;
  bool is_known_ = false;  // the source of the last pair
};

template <class T>
std::span<const char> bytes_of(const std::vector<T>& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(T)};
}

std::span<const u8> row_of(const std::vector<u8>& column, u64 row) {
  const std::span<const u8> words =
      std::span(column).subspan(row * kMostSourceWords, kMostSourceWords);
  return words.first(std::ranges::find(words, kPad) - words.begin());
}

}  // namespace

std::span<const u8> Corpus::source_of(u64 pair) const { return row_of(source, pair); }
std::span<const u8> Corpus::target_of(u64 pair) const { return row_of(target, pair); }

Result<Corpus> make_corpus(const CorpusOptions& options, const engine::Watch& watch) {
  Corpus corpus;
  CorpusWriter writer(options, corpus);
  engine::WorkerPool pool(options.threads);
  std::vector<std::unique_ptr<PairMaker>> makers(pool.size());
  std::vector<std::vector<MadePairs>> blocks(kMostBlocks);
  const u32 block_size = takes_long(options) ? 1 : kShortBlock;
  for (u64 first = 0; !writer.is_full() && !watch.is_stopped();) {
    // A program has about a pair.
    const u64 missing = options.count - corpus.size();
    const auto count = static_cast<u32>(std::min<u64>(kMostBlocks, missing / block_size + 1));
    u32 taken = 0;
    pool.run(
        count,
        [&](u32 worker, u32 block) {
          if (watch.is_stopped()) return;
          if (!makers[worker]) makers[worker] = std::make_unique<PairMaker>(options, watch.stop());
          std::vector<MadePairs>& made = blocks[block];
          made.assign(block_size, {});
          for (u32 k = 0; k < block_size; ++k)
            makers[worker]->make(first + u64{block} * block_size + k, made[k]);
        },
        [&](u32 done) {
          for (; taken < done && !watch.is_stopped(); ++taken) {
            for (u32 k = 0; k < block_size && !writer.is_full(); ++k)
              writer.add(first + u64{taken} * block_size + k, blocks[taken][k]);
            blocks[taken].clear();
          }
          watch.tell(corpus.size(), options.count, "pairs");
        });
    first += u64{block_size} * count;
    if (writer.fruitless() >= kFruitless)
      return input_problem({},
                           "there are only " + grouped(corpus.size()) +
                               " different sources of these families and sizes",
                           "ask for fewer, or for larger programs by `--sizes`");
  }
  corpus.is_stopped = !writer.is_full();
  return corpus;
}

std::string corpus_program(const CorpusOptions& options, u64 number) {
  const ProgramRequest request = request_of(options, number);
  return gen::generate_scalar_program(request.seed, request.family, request.size);
}

std::vector<WrittenTensor> corpus_tensors(const Corpus& corpus) {
  const u64 rows = corpus.size();
  const std::vector<u64> wide = {rows, kMostSourceWords}, one = {rows};
  std::vector<WrittenTensor> tensors = {
      {"source", TensorType::U8, wide, bytes_of(corpus.source)},
      {"source_types", TensorType::U8, wide, bytes_of(corpus.source_types)},
      {"target", TensorType::U8, wide, bytes_of(corpus.target)},
      {"target_types", TensorType::U8, wide, bytes_of(corpus.target_types)},
      {"mask", TensorType::I32, wide, bytes_of(corpus.mask)},
      {"masks", TensorType::U8, {corpus.masks.size(), sizeof(WordSet)}, bytes_of(corpus.masks)},
      {"class", TensorType::U8, one, bytes_of(corpus.classes)},
      {"family", TensorType::U8, one, bytes_of(corpus.families)},
      {"split", TensorType::U8, one, bytes_of(corpus.splits)}};
  if (!corpus.advantages.empty())
    tensors.push_back({"advantage", TensorType::F32, one, bytes_of(corpus.advantages)});
  return tensors;
}

std::map<std::string, std::string> corpus_metadata(const Corpus& corpus,
                                                   const CorpusOptions& options) {
  return {{"komuz.corpus", "1"},
          {"vocabulary", engine::hex_text(vocabulary_hash())},
          {"seed", std::to_string(options.seed)},
          {"count", std::to_string(corpus.size())}};
}

}  // namespace komuz::neural
