// SPDX-License-Identifier: Apache-2.0
#include "neural/corpus/pair_maker.h"

#include <algorithm>
#include <cmath>

#include "lang/copy_code.h"
#include "neural/corpus/model_targets.h"
#include "neural/corpus/skeleton.h"
#include "neural/corpus/splits.h"
#include "neural/corpus/vary.h"
#include "neural/teacher/teach.h"
#include "neural/tokens/read_words.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

constexpr u32 kLeastInstructions = 3;
// Shorter windows are not varied: what comes out is mostly there already.
constexpr u32 kLeastVaried = 6;

}  // namespace

ProgramRequest request_of(const CorpusOptions& options, u64 number) {
  Random random(options.seed * 0x9E37'79B9'7F4A'7C15u + number);
  ProgramRequest request{random.next()};
  u32 all = 0;
  for (u32 f = 0; f < std::size(gen::kFamilyShares); ++f)
    if (options.families >> f & 1) all += gen::kFamilyShares[f];
  u32 at = random.below(all);
  for (u32 f = 0; f < std::size(gen::kFamilyShares); ++f) {
    if ((options.families >> f & 1) == 0) continue;
    request.family = static_cast<gen::Family>(f);
    if (at < gen::kFamilyShares[f]) break;
    at -= gen::kFamilyShares[f];
  }
  // Each doubling of the size is as likely as the others: exact in integers, so the same on every machine.
  u32 least = options.least_size;
  u32 doublings = 0;
  while ((least << (doublings + 1)) <= options.most_size) ++doublings;
  least <<= random.below(doublings + 1);
  request.size = least + random.below(std::min(least, options.most_size - least + 1));
  return request;
}

void PairMaker::make(u64 number, MadePairs& out) {
  const ProgramRequest request = request_of(options_, number);
  compiler_.compile(gen::generate_scalar_program(request.seed, request.family, request.size),
                    made_);
  if (!made_.ok) {
    ++out.wrong;
    return;
  }
  Random random(request.seed);
  const CodeView code = made_.code.view();
  for (u32 f = 0; f < code.functions.size(); ++f) {
    for (const CodeWindow& window : find_code_windows(code, f)) {
      ++out.windows;
      add_window(lone_window(code, window).code.view(), request.family, random, out);
    }
  }
}

void PairMaker::add_window(const CodeView& lone, gen::Family family, Random& random,
                           MadePairs& out) {
  const Function& f = lone.functions[0];
  // The RETURN is none of the window's.
  if (f.code_end - f.code_begin <= kLeastInstructions || f.parameter_slots == 0 ||
      write_source(lone, source_, line_) != Unwritten::None) {
    ++out.unwritten;
    return;
  }
  if (!add_pair(lone, source_, line_, family, out)) return;
  if (f.code_end - f.code_begin <= kLeastVaried) return;
  for (u32 k = 1; k < options_.variants; ++k) {
    if (!vary(random, source_, line_, varied_source_, varied_)) continue;
    const Result<Code> code = read_words(varied_source_, varied_.view(), checker_);
    // A varied source may have constants side by side, which are calculated: it is no compiler's.
    if (code.problem() ||
        write_source(code.value().view(), varied_source_, varied_) != Unwritten::None)
      continue;
    add_pair(code.value().view(), varied_source_, varied_, family, out);
  }
}

Code PairMaker::cheapest(const CodeView& lone) {
  switch (options_.teaching) {
    case Teaching::None: return copy_code(lone);
    case Teaching::Rules: return rewriter_.rewrite(lone);
    case Teaching::Search: return teach_window(lone, {.stop = &stop_}).code;
    case Teaching::Model: return cheapest_of_model(lone, options_, stop_);
  }
  return {};
}

bool PairMaker::follow(const Source& source, Pair& pair) {
  Decoding prefix(source);
  WordLine& target = pair.target;
  for (u32 at = 0; at < target.count; ++at) {
    pair.masks[at] = prefix.allowed();
    if (!prefix.feed(target.words[at])) return false;
    target.types[at] = prefix.top_type();
  }
  return true;
}

bool PairMaker::add_pair(const CodeView& lone, const Source& source, const WordLine& line,
                         gen::Family family, MadePairs& out) {
  const u64 hash = line_hash(line);
  if (seen_.contains(hash)) {
    ++out.equal;
    return true;
  }
  const Function& f = lone.functions[0];
  Pair pair;
  pair.source = line;
  pair.hash = hash;
  pair.size_class = class_of(f.code_end - f.code_begin - 1);
  pair.family = family;
  pair.split = split_of(line);
  if (options_.draws > 0) {
    // Another program has other constants: where draws of one teach nothing, those of the next may.
    if (add_draws(lone, source, pair, out)) seen_.insert(hash);
    return true;
  }
  const Code better = cheapest(lone);
  pair.is_cheaper =
      better.instructions != std::vector(lone.instructions.begin(), lone.instructions.end());
  if (write_target(better.view(), source, pair.target) != Unwritten::None) {
    pair.is_unsaid = true;
    pair.target = line;
    pair.is_cheaper = false;
  }
  if (!follow(source, pair)) {
    ++out.unwritten;
    return false;
  }
  seen_.insert(hash);
  if (out.pairs.empty()) out.pairs.reserve(2 * options_.variants);
  out.pairs.push_back(pair);
  return true;
}

bool PairMaker::add_draws(const CodeView& lone, const Source& source, const Pair& pair,
                          MadePairs& out) {
  bool is_another = false;
  for (const DrawnTarget& drawn : draw_targets(lone, source, pair.source, options_, stop_)) {
    Pair& made = out.pairs.emplace_back(pair);
    made.target.count = static_cast<u32>(drawn.words.size());
    std::ranges::copy(drawn.words, made.target.words);
    made.advantage = drawn.advantage;
    made.is_cheaper = !std::ranges::equal(drawn.words, pair.source.view());
    made.is_another = is_another;
    if (!follow(source, made)) {  // the model's words are those of the mask
      out.pairs.pop_back();
      ++out.unwritten;
      continue;
    }
    is_another = true;
  }
  return is_another;
}

}  // namespace komuz::neural
