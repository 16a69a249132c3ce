// SPDX-License-Identifier: Apache-2.0
// Native code that loads constants, against the reference on codes that differ in them.
#include <gtest/gtest.h>

#include "tests/backend/native_agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

using backend::ConstantsOf;

// One code for this many.
constexpr u32 kVariants = 5;

// Constants that are loaded: `part` of 4 of those that may be, and what has to be loaded with them.
std::vector<u32> some_constants(const Code& code, u32 part, u64 seed) {
  const std::vector<Scalar> types = backend::loadable_types(code.view());
  std::vector<bool> is_loaded(types.size(), false);
  Random random(seed);
  for (size_t k = 0; k < types.size(); ++k)
    is_loaded[k] = types[k] != Scalar::None && random.below(4) < part;
  backend::complete(code.view(), is_loaded);
  std::vector<u32> numbers;
  for (u32 k = 0; k < is_loaded.size(); ++k)
    if (is_loaded[k]) numbers.push_back(k);
  return numbers;
}

// The code with other constants: edges, any bits, and numbers of ordinary size.
Code changed(const Code& code, std::span<const u32> numbers, u64 seed) {
  const std::vector<Scalar> types = backend::loadable_types(code.view());
  Code other = code;
  Random random(seed);
  for (const u32 number : numbers)
    if (random.below(4) != 0)
      other.constants[number] = EdgeStream(types[number], random.next()).next();
  return other;
}

// What is compared: a code, the constants that are loaded, and cases. Variant 0 is the code itself.
struct SharedCode {
  SharedCode(const Code& first, std::vector<u32> loaded, std::vector<std::vector<u64>> arguments,
             u32 function, u32 count, u64 fuel, u64 seed)
      : numbers(std::move(loaded)),
        rows(std::move(arguments)),
        entry(function),
        cases(count),
        budget(fuel) {
    variants.push_back(first);
    for (u32 n = 1; n < kVariants; ++n) variants.push_back(changed(first, numbers, seed * 31 + n));
    for (const Code& variant : variants) {
      constants.insert(constants.end(), variant.constants.begin(), variant.constants.end());
      wanted.emplace_back(variant, rows, entry, cases, budget);
      is_checked = is_checked && wanted.back().is_checked();
      if (is_checked) wanted.back().reference();
    }
  }

  std::vector<Code> variants;
  std::vector<u32> numbers;
  std::vector<std::vector<u64>> rows;
  u32 entry, cases;
  u64 budget;
  bool is_checked = true;
  std::vector<u64> constants;  // of all variants
  std::vector<CaseRun> wanted;
};

class SharedAgreement {
 public:
  // Compiled once, without what is loaded; run with the constants of each variant. False at a difference.
  bool expect(const SharedCode& shared, const Making& making, ConstantsOf of) {
    Code without = shared.variants[0];
    EXPECT_EQ(check_code(without.view(), without.functions).reason, "");
    for (const u32 number : shared.numbers) without.constants[number] = 0;
    const Result<backend::NativeCode> native =
        native_backend()->compile(without.view(), shared.entry, making.effort, making.processor,
                                  making.shape, {shared.numbers, of});
    if (native.problem()) {
      ++refused_;
      last_refusal_ = native.problem().text();
      return true;
    }
    ++compared_;
    return of == ConstantsOf::Job ? one_by_one(shared, native.value(), text(making))
                                  : side_by_side(shared, native.value(), text(making));
  }
  [[nodiscard]] u32 compared() const { return compared_; }
  [[nodiscard]] u32 refused() const { return refused_; }
  [[nodiscard]] const std::string& last_refusal() const { return last_refusal_; }

 private:
  static bool one_by_one(const SharedCode& shared, const backend::NativeCode& native,
                         const std::string& how) {
    for (u32 n = 0; n < kVariants; ++n) {
      CaseRun run(shared.variants[n], shared.rows, shared.entry, shared.cases, shared.budget);
      const vm::Job job = run.job();
      native.run({job.cases, job.fuel, job.stop, shared.variants[n].constants}, run.outcomes());
      const std::string found = difference(run, shared.wanted[n]);
      EXPECT_EQ(found, "") << how << ", variant " << n;
      if (!found.empty()) return false;
    }
    return true;
  }
  // All variants are one job.
  static bool side_by_side(const SharedCode& shared, const backend::NativeCode& native,
                           const std::string& how) {
    std::vector<std::vector<u64>> rows(shared.rows.size());
    for (size_t p = 0; p < rows.size(); ++p)
      for (u32 n = 0; n < kVariants; ++n)
        rows[p].insert(rows[p].end(), shared.rows[p].begin(), shared.rows[p].end());
    const u32 cases = static_cast<u32>(shared.wanted[0].traps.size()), all = kVariants * cases;
    CaseRun run(shared.variants[0], rows, shared.entry, all, shared.budget);
    const vm::Job job = run.job();
    native.run({job.cases, job.fuel, job.stop, shared.constants, kVariants}, run.outcomes());
    for (u32 n = 0; n < kVariants; ++n) {
      CaseRun own(shared.variants[n], shared.rows, shared.entry, cases, shared.budget);
      const auto copy = [&](const auto& from, auto& to) {
        std::copy_n(from.begin() + n * cases, cases, to.begin());
      };
      copy(run.traps, own.traps);
      copy(run.places, own.places);
      copy(run.depths, own.depths);
      copy(run.fuel, own.fuel);
      for (size_t k = 0; k < own.values.size() / cases; ++k)
        std::copy_n(run.values.begin() + k * all + n * cases, cases,
                    own.values.begin() + k * cases);
      const std::string found = difference(own, shared.wanted[n]);
      EXPECT_EQ(found, "") << how << ", variant " << n << " beside others";
      if (!found.empty()) return false;
    }
    return true;
  }

  u32 compared_ = 0, refused_ = 0;
  std::string last_refusal_;
};

TEST(NativeLoadedConstants, RandomCodeAgreesWithReference) {
  KOMUZ_NEEDS_BACKEND;
  SharedAgreement agreement;
  const Seeds chosen = seeds({1, 24, 1019});
  for (u64 n = 0; n < chosen.count; ++n) {
    const u64 seed = chosen.first + n * chosen.stride;
    constexpr u32 kSizes[] = {12, 40, 120};
    constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
    const GeneratedCode program = generate_code(
        seed, kSizes[seed % 3], seed % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    const u32 cases = 1 + static_cast<u32>(seed % 29);
    const SharedCode shared(program.code, some_constants(program.code, 1 + seed % 4, seed),
                            random_cases(program.code, program.entry, cases, seed), program.entry,
                            cases, kBudgets[seed / 3 % 4], seed);
    ASSERT_TRUE(shared.is_checked) << "seed " << seed;
    bool agrees = agreement.expect(shared, kEfforts[seed % 3], ConstantsOf::Job) &&
                  agreement.expect(shared, kEfforts[seed % 3], ConstantsOf::Case);
    for (const Making& making : kLaneWays) {
      agrees = agrees && agreement.expect(shared, making, ConstantsOf::Job);
      agrees = agrees && agreement.expect(shared, making, ConstantsOf::Case);
    }
    if (!agrees) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  EXPECT_LE(agreement.refused() * 20, agreement.compared()) << agreement.last_refusal();
}

// f(operands…): the operation on them, with loaded constants in the places that the mask has.
Code with_constants(Instruction i, u32 mask) {
  const std::vector<Scalar> types = operand_types(i);
  CodeBuilder b;
  b.function("f", types, {result_type(i)});
  for (u16 k = 0; k < types.size(); ++k) {
    if ((mask >> k & 1) != 0)
      b.constant(types[k], edges(types[k])[0]);
    else
      b.load(k);
  }
  b.emit(i.op, i.type, i.a, i.b).end_function();
  return b.code;
}

// Every operation with its last operand loaded, and with all: edges as numbers, NaNs with payloads among them.
TEST(NativeLoadedConstants, EdgesAgree) {
  KOMUZ_NEEDS_BACKEND;
  SharedAgreement agreement;
  u64 seed = 1;
  for (const Instruction i : all_operations()) {
    const std::vector<Scalar> types = operand_types(i);
    const u32 count = static_cast<u32>(types.size());
    std::vector<std::vector<u64>> rows(count);
    for (u32 k = 0; k < count; ++k) rows[k] = edge_column(types[k], 20, 7 * k + 3);
    const auto shared = [&](u32 mask) {
      const Code code = with_constants(i, mask);
      return SharedCode(code, some_constants(code, 4, 1), rows, 0, 20, kDefaultFuel, ++seed);
    };
    const u32 all = (u32{1} << count) - 1, last = u32{1} << (count - 1);
    ASSERT_TRUE(
        agreement.expect(shared(last), {backend::Effort::Quick}, ConstantsOf::Job) &&
        agreement.expect(shared(last), {backend::Effort::Quick, "native", {8}}, ConstantsOf::Job) &&
        agreement.expect(shared(all), {backend::Effort::Normal, "native", {8}}, ConstantsOf::Case))
        << operation_text(i);
  }
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

// f(n) sums a table of constants, with one of their own for each step of a counter that indexes it.
Code table_sum(u32 cells) {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("f", {I}, {I});
  const u16 xs = b.variables(I, static_cast<u16>(cells)), j = b.variable(I), sum = b.variable(I);
  std::vector<u64> numbers;
  for (u32 k = 0; k < cells; ++k) numbers.push_back(k * k);
  b.constants(I, numbers).store_slots(xs, cells);
  b.i64_constant(0).store(sum).i64_constant(0).store(j);
  b.loop().load(j).load(0).op(Op::Lt).break_if_false().tick();
  b.load(sum).load(j).load_at(xs, cells).op(Op::Add).store(sum);
  b.load(j).i64_constant(1).op(Op::Add).store(j).end_loop();
  b.load(sum).end_function();
  return b.code;
}

// Tables are loaded as a whole, and a counter is not common to all lanes if what it is stepped by is each one's own.
TEST(NativeLoadedConstants, TablesAndSteps) {
  KOMUZ_NEEDS_BACKEND;
  SharedAgreement agreement;
  std::vector<u64> row;
  for (i64 n = -2; n < 20; ++n) row.push_back(cell(n));
  for (const u32 cells : {3u, 15u, 16u, 40u}) {
    const Code code = table_sum(cells);
    for (u64 seed = 1; seed < 4; ++seed) {
      SharedCode shared(code, some_constants(code, 4, seed), {row}, 0, 1, 2000, seed);
      ASSERT_TRUE(shared.is_checked);
      ASSERT_GT(shared.numbers.size(), cells);
      for (const ConstantsOf of : {ConstantsOf::Job, ConstantsOf::Case}) {
        for (const Making& making : kEfforts) ASSERT_TRUE(agreement.expect(shared, making, of));
        for (const Making& making : kLaneWays) ASSERT_TRUE(agreement.expect(shared, making, of));
      }
    }
  }
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

// What is kept is found again whatever the loaded constants are, and by nothing else.
TEST(NativeLoadedConstants, KeptCodeIsThatOfAllWhoShareIt) {
  KOMUZ_NEEDS_BACKEND;
  Code code = table_sum(3);
  ASSERT_EQ(check_code(code.view(), code.functions).reason, "");
  const std::vector<u32> all = some_constants(code, 4, 1), some(all.begin(), all.end() - 1);
  const auto made = [](const Code& c, const std::vector<u32>& numbers, ConstantsOf of) {
    const u64 before = native_backend()->cache_use().made;
    const auto native = native_backend()->compile(c.view(), 0, backend::Effort::Normal, "native",
                                                  {8}, {numbers, of});
    EXPECT_EQ(native.problem().text(), "");
    return native_backend()->cache_use().made - before;
  };
  native_backend()->configure({});
  EXPECT_EQ(made(code, all, ConstantsOf::Job), 1u);
  EXPECT_EQ(made(code, all, ConstantsOf::Job), 0u);
  EXPECT_EQ(made(code, all, ConstantsOf::Case), 1u);
  EXPECT_EQ(made(code, some, ConstantsOf::Case), 1u);
  EXPECT_EQ(made(code, {}, ConstantsOf::Job), 1u);
  Code other = code;
  other.constants[all[0]] += 7;
  EXPECT_EQ(made(other, all, ConstantsOf::Case), 0u);
  EXPECT_EQ(made(other, some, ConstantsOf::Case), 0u);
  other.constants[all.back()] += 7;
  EXPECT_EQ(made(other, some, ConstantsOf::Case), 1u);
}

TEST(NativeLoadedConstants, AConstantOfSeveralTypesStays) {
  CodeBuilder b;
  b.function("f", {}, {Scalar::I64});
  b.i64_constant(3).end_function();
  Code code = b.code;
  EXPECT_EQ(backend::loadable_types(code.view())[0], Scalar::I64);
  code.instructions.insert(code.instructions.begin(),
                           {Op::LoadConst, Scalar::F64, 0, code.instructions[0].b});
  EXPECT_EQ(backend::loadable_types(code.view())[code.instructions[0].b], Scalar::None);
}

}  // namespace
}  // namespace komuz::test
