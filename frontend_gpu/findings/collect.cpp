// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/collect.h"

#include <algorithm>

#include "frontend_gpu/findings/follow_ups.h"
#include "frontend_gpu/findings/habits/refine.h"
#include "frontend_gpu/findings/habits/refine_brackets.h"
#include "frontend_gpu/findings/habits/refine_definitions.h"
#include "frontend_gpu/findings/habits/refine_prose.h"
#include "frontend_gpu/findings/habits/refine_types.h"
#include "frontend_gpu/findings/habits/refine_uses.h"
#include "frontend_gpu/findings/near_names.h"
#include "frontend_gpu/findings/repeats.h"
#include "frontend_gpu/findings/warnings.h"

namespace komuz::frontend {

namespace {

// The most errors for which a similar name is looked for. Each search looks at all names; a compilation tells no
// more errors.
constexpr u32 kMostSought = ErrorLimits{}.in_all;

// The steps of a look at a finding, roughly: it reads about a hundred tokens around it.
constexpr u32 kLookWork = 256;

bool is_error(DiagnosticCode code) { return diagnostic_row(code).severity == Severity::Error; }

// Limits the errors that are looked at, because each look may read an item, or the source. Many more are looked at
// than are told (ErrorLimits), because some follow from others. Those who want all errors may wait longer.
class Looks {
 public:
  explicit Looks(ErrorLimits told)
      : most_{.in_all = std::min(told.in_all, kMostTold.in_all) * 32,
              .in_item = std::min(told.in_item, kMostTold.in_item) * 128} {}
  // True if the next error may be looked at. Has to be asked in the order of the source.
  [[nodiscard]] bool take(u32 code, Index item) {
    if (!is_error(static_cast<DiagnosticCode>(code))) return true;
    if (item != item_) in_item_ = 0;
    item_ = item;
    return ++in_item_ <= most_.in_item && ++in_all_ <= most_.in_all;
  }

 private:
  static constexpr ErrorLimits kMostTold{.in_all = 1024, .in_item = 128};

  ErrorLimits most_;
  Index item_ = kNone;
  u32 in_item_ = 0, in_all_ = 0;
};

// True if the program is larger than programs may be.
bool exceeds_limit(DiagnosticCode code) {
  return code == DiagnosticCode::TooManyFunctions || code == DiagnosticCode::TooManyUses;
}

// True if the diagnostic points at the whole expression, and not at one token.
bool spans_subtree(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::Mismatch:
    case DiagnosticCode::ListCapacity:
    case DiagnosticCode::UnusedValue:
    case DiagnosticCode::BranchTypes:
    case DiagnosticCode::ArgumentCount:
    case DiagnosticCode::ArgumentType:
    case DiagnosticCode::NotATuple:
    case DiagnosticCode::PatternMismatch:
    case DiagnosticCode::PatternFields:
    case DiagnosticCode::RefutablePattern:
    case DiagnosticCode::EmptyRange:
    case DiagnosticCode::UnreachableArm:
    case DiagnosticCode::TupleTooWide:
    case DiagnosticCode::UnknownModule:
    case DiagnosticCode::ConstantTrap:
    case DiagnosticCode::NotConstant:
    case DiagnosticCode::TrapsOutsideTest:
    case DiagnosticCode::MissingResultType: return true;
    default: return false;
  }
}

u32 token_end(const Columns& c, Index t) { return c.token_start[t] + c.token_length[t]; }

Diagnostic make(Span span, u8 code, u32 a, u32 b) {
  return make_diagnostic(static_cast<DiagnosticCode>(code), span.begin, span.end - span.begin, a,
                         b);
}

}  // namespace

Span subtree_span(const Columns& c, Index i) {
  const Index first = c.begin[i], last = c.end[i] - 1;
  const u32 depth = c.key[i] / kKeysPerDepth, last_depth = c.key[last] / kKeysPerDepth;
  u32 closers = last_depth - depth;
  const Side side = node_row(node_kind(c, last)).side;
  if (side == Side::Open) ++closers;
  Index t = c.token[last];
  for (; closers != 0 && t + 1 < c.tokens; --closers) {
    const Token next = token_at(c, t + 1);
    if (next != Token::RParen && next != Token::RBracket && next != Token::RBrace) break;
    ++t;
  }
  return {c.token_start[c.token[first]], token_end(c, t)};
}

void collect_diagnostics(const Columns& c, ErrorLimits limits, std::vector<Diagnostic>& out) {
  std::vector<Finding> findings;
  RefineUses refine_use(c);
  Looks looks(limits);
  count_work(c, c.nodes);
  for (Index i = 0; i < c.nodes; ++i) {
    if (c.error[i] == 0 || !looks.take(c.error[i], c.item[i])) continue;
    count_work(c, kLookWork);
    const Index t = c.token[i];
    const Span span = spans_subtree(static_cast<DiagnosticCode>(c.error[i]))
                          ? subtree_span(c, i)
                          : Span{c.token_start[t], token_end(c, t)};
    Diagnostic row = make(span, c.error[i], c.error_a[i], c.error_b[i]);
    refine(c, i, row);
    refine_definition(c, row);
    refine_use(row);
    findings.push_back({row, c.item[i], i});
  }
  Looks bracket_looks(limits);
  for (u32 b = 0; b < c.brackets; ++b) {
    if (c.bracket_error[b] == 0) continue;
    const Index item = c.item[c.bracket_node[b]];
    if (!bracket_looks.take(c.bracket_error[b], item)) continue;
    const Index t = c.bracket_token[b], mate = c.bracket_mate[b];
    const u32 opener = mate == kNone ? 0 : c.token_start[c.bracket_token[mate]];
    findings.push_back(
        {make({c.token_start[t], token_end(c, t)}, c.bracket_error[b], opener, 1), item, kNone});
  }
  refine_comments(c, findings);
  refine_function_types(c, findings);
  refine_commented(c, findings);
  refine_brackets(c, findings);
  refine_prose(c, findings);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.diagnostic.begin != b.diagnostic.begin
               ? a.diagnostic.begin < b.diagnostic.begin
               : a.diagnostic.code_bits < b.diagnostic.code_bits;
  });
  u32 errors = 0, warnings = 0, in_item = 0, sought = 0;
  Index item = kNone;
  const Diagnostic* last = nullptr;
  FollowUps follow_ups(c, findings);
  Repeats repeats({reinterpret_cast<const char*>(c.source), c.bytes});
  for (Finding& row : findings) {
    if (last != nullptr && follows_from(c, *last, row.diagnostic)) continue;
    if (follow_ups.contain(row)) continue;
    // Every use of a variable would point at the value to which it is bound.
    const bool is_again = last != nullptr && last->begin == row.diagnostic.begin &&
                          row.diagnostic.code() == DiagnosticCode::OptionForElement &&
                          last->code() == DiagnosticCode::OptionForElement;
    if (is_again) continue;
    // Every bracket inside of one that is too deep is too deep, too.
    const bool is_deeper = last != nullptr && row.item == item &&
                           row.diagnostic.code() == DiagnosticCode::DepthLimit &&
                           last->code() == DiagnosticCode::DepthLimit;
    if (is_deeper) continue;
    last = &row.diagnostic;
    if (row.item != item) in_item = 0;
    item = row.item;
    if (repeats.was_told(row)) continue;
    if (exceeds_limit(row.diagnostic.code())) {
      ++errors;  // told once, however much else is wrong
    } else if (is_error(row.diagnostic.code())) {
      if (++in_item > limits.in_item || errors >= limits.in_all) continue;
      if (seeks_name(c, row.diagnostic) && ++sought > kMostSought) continue;
      ++errors;
    } else if (++warnings > limits.in_all) {
      continue;
    }
    count_work(c, kLookWork);
    suggest_name(c, row);
    if (repeats.contain(row)) {
      --in_item;
      --errors;
      continue;
    }
    out.push_back(row.diagnostic);
  }
  // Two findings may each follow from the other. A program with errors is told at least one.
  const auto first = std::ranges::find_if(
      findings, [](const Finding& f) { return is_error(f.diagnostic.code()); });
  if (errors == 0 && first != findings.end() && limits.in_all != 0)
    out.push_back(first->diagnostic);
}

}  // namespace komuz::frontend
