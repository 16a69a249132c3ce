// SPDX-License-Identifier: Apache-2.0
// Every pure operation at every type as native code, on edge values: with operands from outside, and with constants,
// which LLVM may compute with in its own ways.
#include <gtest/gtest.h>

#include "tests/backend/native_agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

std::vector<std::vector<u64>> operand_edges(Instruction i) {
  std::vector<std::vector<u64>> found;
  for (const Scalar type : operand_types(i)) found.push_back(edges(type));
  return found;
}

// Code as it was lowered, and behind all passes: what lies between them are fewer passes. The oldest processor has
// neither fma nor rounding.
constexpr Making kWays[] = {{backend::Effort::Quick},
                            {backend::Effort::Full},
                            {backend::Effort::Quick, "x86-64"},
                            {backend::Effort::Normal, "native", {8}},
                            {backend::Effort::Normal, "native", {16}},
                            {backend::Effort::Normal, "native", {32}},
                            {backend::Effort::Normal, "x86-64", {8}}};
constexpr Making kEnds[] = {{backend::Effort::Quick}, {backend::Effort::Full}};
constexpr Making kLaneEnds[] = {{backend::Effort::Normal, "native", {16}}};

// All operands come from columns.
TEST(NativeOperations, EdgeValuesAgree) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  for (const Instruction i : all_operations()) {
    const std::vector<std::vector<u64>> values = operand_edges(i);
    std::vector<std::vector<u64>> rows(values.size());
    // Every pair of edges; of three operands the third goes through its edges meanwhile.
    const size_t seconds = values.size() > 1 ? values[1].size() : 1;
    for (size_t a = 0; a < values[0].size(); ++a) {
      for (size_t b = 0; b < seconds; ++b) {
        rows[0].push_back(values[0][a]);
        if (values.size() > 1) rows[1].push_back(values[1][b]);
        if (values.size() > 2) rows[2].push_back(values[2][(a * 7 + b * 3) % values[2].size()]);
      }
    }
    CodeBuilder b;
    b.function("f", operand_types(i), {result_type(i)});
    for (u16 n = 0; n < values.size(); ++n) b.load(n);
    b.emit(i.op, i.type, i.a, i.b).end_function();
    ASSERT_TRUE(agreement.expect(b.code, rows, 0, 1, kDefaultFuel, kWays)) << operation_text(i);
  }
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

// So many edges of each operand are constants, and so many times all operands. Lanes take LLVM longer.
struct ArmCounts {
  size_t edges, all;
};
constexpr ArmCounts kManyArms = {11, 24}, kFewArms = {3, 6};

// Function `f(choice, operands…)` has an arm for each choice of constants: in the place of the first operand, of the
// last one, and of all.
class ConstantArms {
 public:
  ConstantArms(Instruction i, ArmCounts counts)
      : i_(i), types_(operand_types(i)), values_(operand_edges(i)) {
    std::vector<Scalar> parameters = {Scalar::I64};
    parameters.insert(parameters.end(), types_.begin(), types_.end());
    b_.function("f", parameters, {result_type(i)});
    const size_t count = types_.size();
    // Edges of a float are many, and its kernels long: some of them.
    const auto some = [counts](size_t n, size_t of) {
      return n % ((of + counts.edges) / (counts.edges + 1)) == 0;
    };
    for (size_t n = 0; n < values_[0].size(); ++n)
      if (some(n, values_[0].size())) add_arm({values_[0][n]}, 1);
    for (size_t n = 0; count > 1 && n < values_[count - 1].size(); ++n)
      if (some(n, values_[count - 1].size()))
        add_arm({values_[count - 1][n]}, u32{1} << (count - 1));
    for (size_t n = 0; n < counts.all; ++n) {
      std::vector<u64> all;
      for (size_t k = 0; k < count; ++k)
        all.push_back(values_[k][(n * (5 + 2 * k) + k) % values_[k].size()]);
      add_arm(all, (u32{1} << count) - 1);
    }
    for (u16 n = 0; n < count; ++n) b_.load(static_cast<u16>(n + 1));
    b_.emit(i.op, i.type, i.a, i.b);
    for (u32 arm = 0; arm < arms_; ++arm) b_.end_if();
    b_.end_function();
  }

  [[nodiscard]] const Code& code() const { return b_.code; }
  // Every choice on some of the edges.
  [[nodiscard]] std::vector<std::vector<u64>> rows() const {
    std::vector<std::vector<u64>> rows(types_.size() + 1);
    for (u32 arm = 0; arm <= arms_; ++arm) {
      for (u32 n = 0; n < 16; ++n) {
        rows[0].push_back(arm);
        for (size_t k = 0; k < types_.size(); ++k)
          rows[k + 1].push_back(values_[k][(arm + n * (3 + k)) % values_[k].size()]);
      }
    }
    return rows;
  }

 private:
  // `constants` in the places of the operands that the mask has.
  void add_arm(const std::vector<u64>& constants, u32 mask) {
    b_.load(0).i64_constant(arms_++).op(Op::Eq, Scalar::I64).if_();
    size_t next = 0;
    for (u16 n = 0; n < types_.size(); ++n) {
      if ((mask >> n & 1) != 0)
        b_.constant(types_[n], constants[next++]);
      else
        b_.load(static_cast<u16>(n + 1));
    }
    b_.emit(i_.op, i_.type, i_.a, i_.b).else_(1);
  }

  Instruction i_;
  std::vector<Scalar> types_;
  std::vector<std::vector<u64>> values_;
  CodeBuilder b_;
  u32 arms_ = 0;
};

TEST(NativeOperations, ConstantsAgree) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  for (const Instruction i : all_operations()) {
    const ConstantArms arms(i, kManyArms);
    ASSERT_TRUE(agreement.expect(arms.code(), arms.rows(), 0, 1, kDefaultFuel, kEnds))
        << operation_text(i);
  }
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}
TEST(NativeOperations, ConstantsAgreeInLanes) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  for (const Instruction i : all_operations()) {
    const ConstantArms arms(i, kFewArms);
    ASSERT_TRUE(agreement.expect(arms.code(), arms.rows(), 0, 1, kDefaultFuel, kLaneEnds))
        << operation_text(i);
  }
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

}  // namespace
}  // namespace komuz::test
