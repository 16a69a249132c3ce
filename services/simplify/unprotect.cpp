// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/unprotect.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/counts.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_entry.h"
#include "engine/cases/suite.h"
#include "engine/testing/run_rows.h"
#include "frontend_gpu/findings/collect.h"
#include "services/apply_edits.h"
#include "services/refactor/expression.h"
#include "services/simplify/facts.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

enum class OperandTypes : u8 { Float, Signed, Unsigned };
struct Protection {
  Op op, plain;
  OperandTypes types;
  std::string_view needed;
};
constexpr Protection kProtections[] = {
#define PROTECTION(op, plain, types, needed) {Op::op, Op::plain, OperandTypes::types, needed},
#include "services/simplify/protections.def"
};

const Protection* protection_of(const Instruction& i) {
  const OperandTypes types = is_float(i.type)    ? OperandTypes::Float
                             : is_signed(i.type) ? OperandTypes::Signed
                                                 : OperandTypes::Unsigned;
  const auto* const found = std::ranges::find_if(kProtections, [&](const Protection& protection) {
    return protection.op == i.op && protection.types == types;
  });
  return found == std::end(kProtections) ? nullptr : found;
}

// A protected operation in the text.
struct Site {
  const Protection* protection = nullptr;
  std::string_view name;
  frontend::Span whole;
  std::vector<std::pair<std::string, std::string_view>> operands;  // their texts and types
};

// Those of functions, each behind those in its operands.
std::vector<Site> sites_of(const Analysis& analysis) {
  std::vector<Site> out;
  const Draft draft(analysis);
  const Facts facts(draft);
  const auto span_of = [&](u32 n) {
    return frontend::subtree_span(analysis.columns(), draft[n].origin);
  };
  for (const u32 body : draft.bodies()) {
    std::vector<u32> below;
    draft.list_below(body, below);
    for (const u32 n : below) {
      const Operation operation = facts.operation_of(n);
      if (operation.builtin == kNone || draft[n].origin == kNone) continue;
      const Protection* const protection = protection_of(operation.instruction);
      if (protection == nullptr) continue;
      Site site{protection, kBuiltins[operation.builtin].name, span_of(n), {}};
      for (u32 k = 0; k < operation.count; ++k) {
        const u32 operand = operation.operand[k];
        const frontend::Span span = span_of(operand);
        site.operands.emplace_back(analysis.text().substr(span.begin, span.end - span.begin),
                                   scalar_name(draft[operand].type));
      }
      out.push_back(std::move(site));
    }
  }
  return out;
}

std::string with_site(const Analysis& analysis, const Site& site, std::string text) {
  const Edit edit{site.whole.begin, site.whole.end, std::move(text)};
  return with_edits(analysis.text(), std::vector<Edit>{edit});
}

// The program that traps HOLE where the protection is needed.
std::string asking(const Analysis& analysis, const Site& site) {
  constexpr std::string_view kNames[] = {"a", "b"};
  std::string text = "({ ", names;
  std::string condition(site.protection->needed);
  for (size_t k = 0; k < site.operands.size(); ++k) {
    const std::string name = free_name(analysis, "operand_" + std::string(kNames[k]));
    text += "let " + name + ": " + std::string(site.operands[k].second) + " = " +
            site.operands[k].first + "; ";
    names += (names.empty() ? "" : ", ") + name;
    // The names of the table are words of one letter.
    std::string named;
    for (size_t at = 0; at < condition.size(); ++at)
      named += condition.substr(at, 1) == kNames[k] ? name : condition.substr(at, 1);
    condition = std::move(named);
  }
  return with_site(analysis, site,
                   text + "if " + condition + " { ?" + free_name(analysis, "protection") +
                       " } else { " + std::string(site.name) + "(" + names + ") } })");
}

std::string_view plain_word(Op op) {
  if (op == Op::Div) return "/";
  for (const BuiltinRow& row : kBuiltins)
    if (row.op == op && row.shape == BuiltinShape::Same) return row.name;
  return {};
}
std::string plain(const Analysis& analysis, const Site& site) {
  const std::string word(plain_word(site.protection->plain));
  const std::string first = "(" + site.operands[0].first + ")";
  return with_site(analysis, site,
                   site.operands.size() == 2
                       ? "(" + first + " " + word + " (" + site.operands[1].first + "))"
                       : word + first);
}

// The outcomes of a program on all cases.
struct Outcomes {
  std::vector<Trap> traps;
  std::vector<u64> values;
  bool operator==(const Outcomes&) const = default;
};

class OnCases {
 public:
  explicit OnCases(const UnprotectRequest& request) : request_(request) {}

  [[nodiscard]] Result<Outcomes> run(const std::string& program) {
    frontend::Compiler compiler({.library = request_.library});
    frontend::Compilation made;
    compiler.compile(program, made);
    if (!made.ok)
      return input_problem(
          "the program does not compile by itself, and cannot be asked what it needs");
    const engine::EntryChoice entry = engine::choose_entry(made.code.view(), request_.entry);
    if (!entry.refusal.empty()) return input_problem(entry.refusal);
    Outcomes out;
    for (const engine::CasesTable* const table : request_.tables)
      if (Problem problem = run_on(*table, made.code, static_cast<u32>(entry.function), out))
        return problem;
    return out;
  }

 private:
  Problem run_on(const engine::CasesTable& table, const Code& code, u32 function, Outcomes& out) {
    const engine::Signature signature =
        engine::signature_of(code.view(), code.view().functions[function]);
    engine::Suite suite;
    if (Problem misfit = engine::make_columns(table, signature, suite, request_.stop))
      return misfit;
    Code own = code;
    if (suite.has_slices)
      if (const std::string wrong = engine::add_slice_entry(own, function, suite.case_types);
          !wrong.empty())
        return input_problem("with the longest slices of " + table.file + ", " + wrong);
    engine::RowsRun rows(own.view(), function, suite, request_.fuel);
    const bool is_done =
        rows.run(engine::Watch(request_.stop), [&out](u32 /*begin*/, const OutcomesView& outcomes) {
          out.traps.insert(out.traps.end(), outcomes.traps.begin(), outcomes.traps.end());
          out.values.insert(out.values.end(), outcomes.values.begin(), outcomes.values.end());
        });
    return is_done ? Problem() : input_problem("interrupted while cases were asked");
  }

  const UnprotectRequest& request_;
};

UnprotectedKind& kind_of(const Site& site, std::vector<UnprotectedKind>& kinds) {
  const auto known = std::ranges::find(kinds, site.name, &UnprotectedKind::name);
  if (known != kinds.end()) return *known;
  return kinds.emplace_back(
      UnprotectedKind{.name = site.name, .plain = plain_word(site.protection->plain)});
}

}  // namespace

Result<Unprotected> unprotect(const std::string& program, const UnprotectRequest& request) {
  Unprotected out;
  out.text = simplified_text(program, request.library);
  OnCases cases(request);
  const Result<Outcomes> known = cases.run(out.text);
  if (known.problem()) return known.problem();
  out.cases = known.value().traps.size();
  // By kinds: which cases need one that is kept.
  std::vector<std::vector<u8>> needed;
  Analysis analysis(request.library);
  for (size_t next = 0;;) {
    analysis.read(out.text);
    std::vector<Site> sites = sites_of(analysis);
    if (next >= sites.size()) break;
    const Site& site = sites[next];
    const Result<Outcomes> asked = cases.run(asking(analysis, site));
    if (asked.problem()) return asked.problem();
    const std::vector<Trap>& traps = asked.value().traps;
    UnprotectedKind& kind = kind_of(site, out.kinds);
    needed.resize(out.kinds.size());
    if (std::ranges::find(traps, Trap::Hole) == traps.end()) {
      ++kind.written;
      out.text = plain(analysis, site);
      continue;
    }
    std::vector<u8>& of_kind = needed[static_cast<size_t>(&kind - out.kinds.data())];
    of_kind.resize(traps.size());
    for (size_t k = 0; k < traps.size(); ++k)
      if (traps[k] == Trap::Hole) of_kind[k] = 1;
    ++kind.kept;
    ++next;
  }
  for (size_t k = 0; k < needed.size(); ++k)
    out.kinds[k].needed_by = static_cast<u64>(std::ranges::count(needed[k], u8{1}));
  out.text = simplified_text(out.text, request.library);
  const Result<Outcomes> now = cases.run(out.text);
  if (now.problem()) return now.problem();
  if (now.value() != known.value())
    return input_problem("without protections the program gives something else on some case");
  return out;
}

std::string unprotected_text(const Unprotected& unprotected) {
  if (unprotected.kinds.empty()) return "the program has no protected operator that could go";
  const std::string cases = counted(unprotected.cases, "case");
  std::string written, kept;
  for (const UnprotectedKind& kind : unprotected.kinds) {
    const std::string name = "`" + std::string(kind.name) + "`";
    if (kind.written != 0)
      written += (written.empty() ? "`" : ", `") + std::string(kind.plain) + "` for " +
                 (kind.written == 1 ? "" : grouped(kind.written) + " ") + name;
    if (kind.kept == 0) continue;
    const std::string stays =
        kind.kept == 1 ? name + " stays" : grouped(kind.kept) + " " + name + " stay";
    kept += (kept.empty() ? "" : "; ") + stays + ", which " + grouped(kind.needed_by) + " of " +
            cases + (kind.needed_by == 1 ? " needs" : " need");
  }
  if (written.empty()) return kept;
  return written + ": no protection was needed there on " + cases +
         (kept.empty() ? "" : "; " + kept);
}

}  // namespace komuz::services
