// SPDX-License-Identifier: Apache-2.0
// Questions about programs given as text, and what shows that an answer is right: both programs run on the arguments.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "frontend_gpu/frontend.h"
#include "neural/proof/prover.h"
#include "tests/vm/code_builder.h"

namespace komuz::test {

#if defined(KOMUZ_HAVE_Z3)
inline constexpr bool kHasZ3 = true;
#else
inline constexpr bool kHasZ3 = false;
#endif

// Null: this build has no prover, which is all right only without Z3.
inline const neural::Prover* opened_prover() {
  const Result<const neural::Prover*> opened = neural::open_prover();
  EXPECT_TRUE(!kHasZ3 || !opened.problem()) << opened.problem().text();
  return opened.problem() ? nullptr : opened.value();
}
#define KOMUZ_NEEDS_PROVER() \
  if (opened_prover() == nullptr) GTEST_SKIP() << "this build has no prover"

inline Code compiled(std::string_view source, bool is_plain = false) {
  frontend::Options options;
  options.is_plain = is_plain;
  frontend::Compilation out;
  frontend::Compiler(options).compile(source, out);
  EXPECT_TRUE(out.ok) << source;
  return out.code;
}
// The last public function.
inline u32 entry_of(const Code& code) {
  for (u32 f = static_cast<u32>(code.functions.size()); f-- > 0;)
    if (code.functions[f].is_public && code.functions[f].kind == FunctionKind::Function) return f;
  ADD_FAILURE() << "no function is public";
  return 0;
}

// A pair of programs, each checked, with their entries.
struct ProofPair {
  Code a, b;
  u32 a_function = 0, b_function = 0;

  ProofPair(std::string_view first, std::string_view second)
      : ProofPair(compiled(first), compiled(second)) {}
  ProofPair(Code first, Code second) : a(std::move(first)), b(std::move(second)) {
    a_function = entry_of(a);
    b_function = entry_of(b);
  }
  ProofPair(Code first, Code second, u32 entry)
      : a(std::move(first)), b(std::move(second)), a_function(entry), b_function(entry) {}
  [[nodiscard]] neural::ProofQuestion question(neural::FuelRule rule) const {
    return {a.view(), a_function, b.view(), b_function, rule};
  }

  // Do both end differently with these arguments? Fuel is as the rule says.
  [[nodiscard]] bool differ(const std::vector<u64>& arguments, neural::FuelRule rule) const {
    std::vector<std::vector<u64>> rows;
    for (const u64 cell : arguments) rows.push_back({cell});
    CaseRun first(a, rows, a_function), second(b, rows, b_function);
    first.reference();
    second.reference();
    if (first.traps != second.traps || first.values != second.values) return true;
    if (rule == neural::FuelRule::Same) return first.fuel != second.fuel;
    return rule == neural::FuelRule::Less && second.fuel[0] > first.fuel[0];
  }
};

inline std::string proof_name(neural::Proof proof) {
  return proof == neural::Proof::Proved    ? "proved"
         : proof == neural::Proof::Refuted ? "refuted"
                                           : "unknown";
}

inline neural::ProofAnswer prove(const ProofPair& pair,
                                 neural::FuelRule rule = neural::FuelRule::Same) {
  return opened_prover()->prove(pair.question(rule), nullptr);
}

inline void expect_proved(std::string_view a, std::string_view b,
                          neural::FuelRule rule = neural::FuelRule::Same) {
  const neural::ProofAnswer answer = prove(ProofPair(a, b), rule);
  EXPECT_EQ(proof_name(answer.proof), "proved") << a << "\n" << b << "\n" << answer.why;
}
// The arguments show it.
inline void expect_refuted(std::string_view a, std::string_view b,
                           neural::FuelRule rule = neural::FuelRule::Same) {
  const ProofPair pair(a, b);
  const neural::ProofAnswer answer = prove(pair, rule);
  ASSERT_EQ(proof_name(answer.proof), "refuted") << a << "\n" << b << "\n" << answer.why;
  EXPECT_TRUE(pair.differ(answer.arguments, rule)) << a << "\n" << b;
}

}  // namespace komuz::test
