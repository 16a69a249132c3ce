// SPDX-License-Identifier: Apache-2.0
// Which cells are values of a type.
#include "neural/proof/terms/domain.h"
#include "gen/gen.h"
#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/pure_terms.h"
#include "tests/neural/changed_code.h"
#include "tests/neural/proof_questions.h"

namespace komuz::test {
namespace {

class Domain {
 public:
  explicit Domain(const std::string& parameter)
      : Domain(compiled("pub fn f(x: " + parameter + ") -> i64 { 0 }")) {}
  explicit Domain(Code code) : code_(std::move(code)) {
    const neural::TermWriter writer(terms_);
    const CodeView view = code_.view();
    const Function& f = view.functions[entry_of(code_)];
    variables_ = neural::argument_variables(terms_, view, f);
    are_values_ = neural::are_values(terms_, view.parameter_types(f), variables_);
  }
  bool has(const std::vector<u64>& cells) {
    std::vector<u64> bits;
    for (size_t k = 0; k < cells.size(); ++k)
      bits.push_back(cells[k] & neural::low_bits(terms_.row(variables_[k]).width));
    const neural::Term wanted[] = {are_values_};
    return neural::term_values(terms_, bits, wanted)[0] != 0;
  }
  [[nodiscard]] const Code& code() const { return code_; }

 private:
  Code code_;
  neural::Terms terms_;
  std::vector<neural::Term> variables_;
  neural::Term are_values_ = neural::kNoTerm;
};

TEST(Domain, HasTheListsOfAType) {
  Domain list("List[i64, 3]");
  EXPECT_TRUE(list.has({0, 0, 0, 0}));
  EXPECT_TRUE(list.has({2, 7, 8, 0}));
  EXPECT_TRUE(list.has({3, 7, 8, 9}));
  EXPECT_FALSE(list.has({4, 7, 8, 9})) << "longer than it may be";
  EXPECT_FALSE(list.has({~u64{0}, 0, 0, 0})) << "a negative length";
  EXPECT_FALSE(list.has({1, 7, 0, 9})) << "something behind its end";
}

TEST(Domain, HasTheOptionsAndFloatsOfAType) {
  Domain option("Option[f64]");
  const u64 one = cell_f64(1);
  EXPECT_TRUE(option.has({0, 0}));
  EXPECT_TRUE(option.has({1, one}));
  EXPECT_TRUE(option.has({1, kCanonicalNan64}));
  EXPECT_FALSE(option.has({1, kCanonicalNan64 | 1})) << "another NaN";
  EXPECT_FALSE(option.has({1, ~u64{0}})) << "another NaN";
  EXPECT_FALSE(option.has({0, one})) << "None with a value";
  EXPECT_FALSE(option.has({2, one})) << "a third alternative";
}

TEST(Domain, HasWhatLiesInOtherTypes) {
  // Two lengths, then two cells of each list.
  Domain lists("[List[u8, 2]; 2]");
  EXPECT_TRUE(lists.has({1, 2, 7, 0, 8, 9}));
  EXPECT_FALSE(lists.has({1, 2, 7, 7, 8, 9}));
  EXPECT_FALSE(lists.has({1, 3, 7, 0, 8, 9}));
}

TEST(Domain, HasAllThatTheGeneratorMakes) {
  u32 checked = 0;
  for (u64 seed = 0; seed < 200; ++seed) {
    gen::Options options;
    options.functions = 1;
    options.statements = 1;
    options.tests = false;
    options.containers = true;
    Code code = compiled(gen::generate_program(seed, options));
    const u32 entry = entry_of(code);
    if (takes_slices(code, entry)) continue;
    Domain domain(std::move(code));
    const CodeView view = domain.code().view();
    for (const auto& row :
         gen::generate_values(seed, view.parameter_types(view.functions[entry]), 20)) {
      EXPECT_TRUE(domain.has(row)) << "seed " << seed;
      ++checked;
    }
  }
  EXPECT_GT(checked, 500u);
}

}  // namespace
}  // namespace komuz::test
