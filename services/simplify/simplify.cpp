// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/simplify.h"

#include <algorithm>

#include "services/format.h"
#include "services/simplify/check_text.h"
#include "services/simplify/rules.h"
#include "services/simplify/statements.h"

namespace komuz::services {
namespace {

// Each round reads the text of the one before. Few programs need more than three.
constexpr u32 kMostRounds = 8;

// Types of literals are written out in so many steps.
constexpr u32 kMostTypings = 4;

// With more bodies, none is tried by itself.
constexpr size_t kMostTried = 32;

struct Round {
  std::string text;
  u32 rewritings = 0;
  std::string why_not;
};

enum class Moves : u8 { All, ExpressionsAlone };

std::string laid_out(const std::string& text) {
  frontend::Compiler compiler;
  Formatted formatted = format(compiler, text);
  return formatted.ok ? std::move(formatted.text) : std::string();
}

// True if the program has decisions: a name or a number that stands for several.
bool has_decisions(const Analysis& analysis) {
  const Columns& c = analysis.columns();
  for (Index i = 0; i < c.nodes && c.token[i] < analysis.own_tokens(); ++i) {
    const Context context = frontend::node_context(c, i);
    if (context == Context::ChoiceOpen || context == Context::GridOpen) return true;
    if (frontend::node_kind(c, i) == Node::Space) return true;
  }
  return false;
}

// `left_out`: bodies that stay, by their numbers.
Round rewrite(const Analysis& before, const Library* library, Exactness exactness, Moves moves,
              const std::vector<u8>& left_out) {
  Round round;
  Draft draft(before);
  Facts facts(draft);
  Rewriter rewriter(draft, facts, exactness);
  StatementRewriter statements(draft, facts);
  for (u32 k = 0; k < draft.bodies().size(); ++k) {
    if (k < left_out.size() && left_out[k] != 0) continue;
    const u32 body = draft.bodies()[k];
    // Values come to their places before operands change theirs.
    if (moves == Moves::All) {
      std::vector<u32> below;
      draft.list_below(body, below);
      for (const u32 n : below) facts.learn(n);
      statements.run(body);
    }
    rewriter.run(body);
  }
  round.rewritings = rewriter.made() + statements.made();
  Analysis after(library);
  for (u32 typing = 0; typing <= kMostTypings; ++typing) {
    round.text = draft.text();
    after.read(round.text);
    if (!after.is_sound() && typing == 0) {
      // What gave a number its type may be gone.
      for (const u32 literal : draft.new_typed_literals()) draft.write_type(literal);
      continue;
    }
    if (!after.is_sound()) {
      round.why_not = "what it becomes does not compile";
      return round;
    }
    const std::optional<std::vector<u32>> retyped = retyped_literals(draft, Draft(after));
    if (!retyped) {
      round.why_not = "what it becomes would be read in another way";
      return round;
    }
    if (retyped->empty()) {
      if (says_more(before, after))
        round.why_not = "what it becomes would have a warning more";
      else if (comments_of(before) != comments_of(after))
        round.why_not = "a comment would be lost";
      return round;
    }
    // One with its type may give others theirs.
    const size_t count = typing + 1 < kMostTypings ? 1 : retyped->size();
    for (size_t k = 0; k < count; ++k) draft.write_type((*retyped)[k]);
  }
  round.why_not = "a number would have another type";
  return round;
}

// Where a body cannot be rewritten, the others are.
Round rewrite_bodies(const Analysis& before, const Library* library, Exactness exactness) {
  Round round = rewrite(before, library, exactness, Moves::All, {});
  const size_t bodies = Draft(before).bodies().size();
  if (round.why_not.empty()) return round;
  if (bodies > 1 && bodies <= kMostTried) {
    std::vector<u8> left_out(bodies, 0);
    for (size_t k = 0; k < bodies; ++k) {
      std::vector<u8> others(bodies, 1);
      others[k] = 0;
      left_out[k] = rewrite(before, library, exactness, Moves::All, others).why_not.empty() ? 0 : 1;
    }
    Round some = rewrite(before, library, exactness, Moves::All, left_out);
    if (some.why_not.empty() && some.rewritings != 0) return some;
  }
  Round expressions = rewrite(before, library, exactness, Moves::ExpressionsAlone, {});
  return expressions.why_not.empty() ? expressions : round;
}

}  // namespace

Simplified simplify(std::string_view program, const Library* library, Exactness exactness) {
  Simplified out;
  out.text = program;
  if (program.size() > kMostSimplified) {
    out.why_not = "it is longer than 256 KiB";
    return out;
  }
  Analysis before(library);
  before.read(program);
  if (!before.is_sound()) {
    out.why_not = "it does not compile by itself";
    return out;
  }
  if (has_decisions(before)) {
    out.why_not = "it is a sketch: fill it first";
    return out;
  }
  std::string text = laid_out(std::string(program));
  if (text.empty()) {
    out.why_not = "it cannot be formatted";
    return out;
  }
  before.read(text);
  out.tokens_before = out.tokens_after = before.own_tokens();
  for (u32 k = 0; k < kMostRounds; ++k) {
    before.read(text);
    Round round = rewrite_bodies(before, library, exactness);
    std::string next = round.why_not.empty() ? laid_out(round.text) : std::string();
    if (next.empty()) {
      out.why_not = round.why_not;
      break;
    }
    if (next == text) break;
    Analysis after(library);
    after.read(next);
    if (!after.is_sound() || after.own_tokens() > out.tokens_after) break;
    out.tokens_after = after.own_tokens();
    out.rewritings += round.rewritings;
    text = std::move(next);
  }
  out.text = out.why_not.empty() || out.rewritings != 0 ? std::move(text) : std::string(program);
  if (out.rewritings != 0) out.why_not.clear();
  return out;
}

std::string simplified_text(const std::string& program, const Library* library,
                            Exactness exactness) {
  Simplified out = simplify(program, library, exactness);
  if (out.why_not.empty()) return std::move(out.text);
  std::string formatted = laid_out(program);
  return formatted.empty() ? program : std::move(formatted);
}

}  // namespace komuz::services
