// SPDX-License-Identifier: Apache-2.0
// What pure operations, slots, constants and branches take on the batch machine, as rows of neural/teacher/costs.def:
//
//   cost_bench [ROUNDS]
//
// Each operation is measured on a tile of 256 lanes, as one of 16 terms of a maximum, against the same maximum without
// it. The lowering is not in it. The unit is a sum of i64, in the same round; a figure is the least of all rounds, as
// whatever else the machine does only adds time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>

#include "base/random.h"
#include "tests/vm/code_builder.h"

namespace komuz::test {
namespace {

constexpr u32 kCases = 256, kTerms = 16, kSlots = 4, kRepeats = 24;
using Term = std::function<void(CodeBuilder&, u32)>;  // writes the term with this number

// Small numbers that make no operation trap; bools of both kinds.
u64 sample(Scalar type, Random& random) {
  const u32 x = 1 + random.below(7);
  if (type == Scalar::F32) return cell_f32(static_cast<f32>(x) / 8);
  if (type == Scalar::F64) return cell_f64(x / 8.0);
  return type == Scalar::Bool ? x & 1 : x;
}

// A function with kSlots parameters of each of two types, and kSlots bools.
class Measured {
 public:
  Measured(Scalar a, Scalar b, Scalar result, const Term& term) : run_(make(a, b, result, term)) {
    machine_.run(run_.job(), run_.outcomes());
    for (const Trap trap : run_.traps) is_sound_ = is_sound_ && trap == Trap::None;
  }
  [[nodiscard]] bool is_sound() const { return is_sound_ && run_.is_checked(); }

  // Nanoseconds, the least so far.
  f64 measure() {
    const vm::Job job = run_.job();
    const auto start = std::chrono::steady_clock::now();
    for (u32 k = 0; k < kRepeats; ++k) machine_.run_again(job, run_.outcomes());
    const std::chrono::duration<f64, std::nano> taken = std::chrono::steady_clock::now() - start;
    return least_ = std::min(least_, taken.count() / kRepeats);
  }
  [[nodiscard]] f64 least() const { return least_; }
  // Nanoseconds that the lowering takes for an instruction.
  [[nodiscard]] f64 lowering() {
    measure();
    const vm::Job job = run_.job();
    const auto start = std::chrono::steady_clock::now();
    for (u32 k = 0; k < kRepeats; ++k) machine_.run(job, run_.outcomes());
    const std::chrono::duration<f64, std::nano> taken = std::chrono::steady_clock::now() - start;
    least_with_lowering_ = std::min(least_with_lowering_, taken.count() / kRepeats);
    return (least_with_lowering_ - least_) / static_cast<f64>(job.code.instructions.size());
  }

 private:
  static CaseRun make(Scalar a, Scalar b, Scalar result, const Term& term) {
    CodeBuilder code;
    std::vector<Scalar> types(kSlots, a);
    types.insert(types.end(), kSlots, b);
    types.insert(types.end(), kSlots, Scalar::Bool);
    code.function("f", types, {result});
    for (u32 k = 0; k < kTerms; ++k) {
      term(code, k);
      if (k != 0) code.op(result == Scalar::Bool ? Op::Or : Op::Max, result);
    }
    code.end_function();
    Random random(7);
    std::vector<std::vector<u64>> rows;
    for (const Scalar type : types) {
      std::vector<u64>& row = rows.emplace_back(kCases);
      for (u64& cell : row) cell = sample(type, random);
    }
    return CaseRun(std::move(code.code), rows);
  }

  CaseRun run_;
  vm::BatchMachine machine_;
  bool is_sound_ = true;
  f64 least_ = 1e300, least_with_lowering_ = 1e300;
};

u16 slot(u32 group, u32 k) { return static_cast<u16>(group * kSlots + k % kSlots); }

// Something to measure, and the same without it.
struct Pair {
  Measured with, without;
  // A term's share, in nanoseconds.
  [[nodiscard]] f64 term() const { return (with.least() - without.least()) / kTerms; }
  void measure() {
    with.measure();
    without.measure();
  }
};
Pair pair_of(Scalar a, Scalar b, Scalar result, const Term& with, const Term& without) {
  return {Measured(a, b, result, with), Measured(a, b, result, without)};
}

constexpr u64 kNoConstant = ~u64{0};
// `second`: the constant that is the second operand; kNoConstant: none is.
Pair pair_of(Instruction i, u64 second = kNoConstant) {
  const OpForm form = op_row(i.op).form;
  const Scalar other = i.a != 0 ? static_cast<Scalar>(i.a) : i.type;
  const Scalar result = result_type(form, i.type);
  const bool converts = form == OpForm::Convert;
  const auto plain = [=](CodeBuilder& b, u32 k) {
    // A slot of the result's type.
    if (result == Scalar::Bool)
      b.load(slot(2, k));
    else if (result == i.type)
      b.load(slot(converts ? 1 : 0, k));
    else
      b.load(slot(1, k));
  };
  const auto operation = [=](CodeBuilder& b, u32 k) {
    b.load(slot(0, k));
    if (i.op == Op::CheckIndex)
      b.i64_constant(100);
    else if (second != kNoConstant)
      b.constant(i.type, second);
    else if (operand_count(form) > 1)
      b.load(form == OpForm::Shift ? slot(1, k) : slot(0, k + 1));
    if (operand_count(form) > 2) {
      b.load(slot(0, k + 2));
    }
    b.op(i.op, i.type, static_cast<Scalar>(i.a));
  };
  const Scalar first = converts ? other : i.type;
  const Scalar second_type = converts ? i.type : form == OpForm::Shift ? other : result;
  if (i.op != Op::Clamp) return pair_of(first, second_type, result, operation, plain);
  const auto clamped = [=](CodeBuilder& b, u32 k) {
    const auto bound = [&](u64 number) {
      b.constant(i.type, i.type == Scalar::F32   ? cell_f32(static_cast<f32>(number))
                         : i.type == Scalar::F64 ? cell_f64(static_cast<f64>(number))
                                                 : number);
    };
    b.load(slot(0, k));
    bound(0);
    bound(5);
    b.op(i.op, i.type);
  };
  return pair_of(first, second_type, result, clamped, plain);
}

// What a lane does beside operations.
Pair slot_pair() {
  // Both operands are slots, and one is a constant.
  const auto sum = [](CodeBuilder& b, u32 k) {
    b.load(slot(0, k)).load(slot(0, k + 1)).op(Op::Add);
  };
  const auto with_constant = [](CodeBuilder& b, u32 k) {
    b.load(slot(0, k)).i64_constant(1 + k).op(Op::Add);
  };
  return pair_of(Scalar::I64, Scalar::I64, Scalar::I64, sum, with_constant);
}
Pair store_pair(bool in_branches) {
  const auto term = [=](bool stores) {
    return [=](CodeBuilder& b, u32 k) {
      b.load(slot(0, k)).load(slot(0, k + 1)).op(Op::Add);
      if (stores) {
        const u16 to = b.variable(Scalar::I64);
        b.store(to).load(to);
      }
      if (in_branches && k == 0)
        b.load(slot(2, 0)).if_().load(slot(0, 1)).else_(1).load(slot(0, 2)).end_if().op(Op::Max);
    };
  };
  return pair_of(Scalar::I64, Scalar::I64, Scalar::I64, term(true), term(false));
}
// `if` with arms that are slots; its condition is not counted.
Pair branch_pair(bool diverges) {
  const auto term = [=](bool branches) {
    return [=](CodeBuilder& b, u32 k) {
      // Slots have numbers below 8.
      b.load(slot(0, k + 1)).i64_constant(diverges ? 4 : 100).op(Op::Lt);
      if (branches)
        b.if_().load(slot(0, k)).else_(1).load(slot(0, k + 2)).end_if();
      else
        b.store(b.variable(Scalar::Bool)).load(slot(0, k));
    };
  };
  return pair_of(Scalar::I64, Scalar::I64, Scalar::I64, term(true), term(false));
}
// The operators on numbers that make the bool are not counted.
Pair lazy_pair() {
  const auto term = [](bool is_lazy) {
    return [=](CodeBuilder& b, u32 k) {
      b.load(slot(0, k)).i64_constant(4).op(Op::Lt);
      if (is_lazy) b.and_then();
      b.load(slot(0, k + 1)).i64_constant(2).op(Op::Lt);
      if (is_lazy)
        b.end_lazy();
      else
        b.store(b.variable(Scalar::Bool));
    };
  };
  return pair_of(Scalar::I64, Scalar::I64, Scalar::Bool, term(true), term(false));
}

// Coarse, so that what takes about the same has the same figure.
u32 tenths(f64 of_a_sum) {
  const f64 x = std::max(0.0, of_a_sum) * 10;
  const f64 step = x < 20 ? 2 : x < 60 ? 5 : x < 200 ? 10 : x < 1000 ? 50 : 100;
  return static_cast<u32>(std::max(2.0, step * static_cast<f64>(static_cast<u32>(x / step + 0.5))));
}

constexpr const char* kNames[] = {
#define OP(Name, mnemonic, form, types, traps, meaning) #Name,
#include "lang/ops.def"
};

constexpr const char* kScalars[] = {
    "None",
#define SCALAR(Name, spelling, T, bytes, cls) #Name,
#include "lang/types.def"
};

// Operations that do the same work have the mean figure of all of them.
const std::vector<std::vector<Op>> kAlike = {
    {Op::Add, Op::Sub},
    {Op::AddWrap, Op::SubWrap, Op::And, Op::Or, Op::Xor},
    {Op::Min, Op::Max},
    {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge},
    {Op::Shl, Op::Shr},
    {Op::Rotl, Op::Rotr},
    {Op::Floor, Op::Ceil, Op::Round, Op::Trunc},
    {Op::Div, Op::Rem, Op::DivFloor, Op::ModFloor, Op::Div0}};

struct OperationRow {
  std::string name;
  Op op;
  // By scalar type, from bool on; conversions have one for each source.
  std::vector<Pair> pairs[9];
  std::vector<u32> sources[9];  // of each conversion
};

void run(u32 rounds) {
  Pair unit = pair_of({Op::Add, Scalar::I64, 0, 0});
  std::vector<OperationRow> rows;
  for (u32 number = 0; number < kOpCount; ++number) {
    const Op op = static_cast<Op>(number);
    const OpForm form = op_row(op).form;
    if (!is_pure_form(form)) continue;
    OperationRow& row = rows.emplace_back();
    row.op = op;
    row.name = std::string("COST(") + kNames[number];
    for (u32 type = 1; type <= 8; ++type) {
      const Scalar t = static_cast<Scalar>(type);
      if ((op_row(op).types & type_bit(t)) == 0) continue;
      std::vector<u32> seconds = {0};
      if (form == OpForm::Shift) seconds = {static_cast<u32>(Scalar::I64)};
      if (form == OpForm::Convert) seconds = {1, 2, 3, 4, 5, 6, 7, 8};
      for (const u32 second : seconds) {
        const Scalar from = static_cast<Scalar>(second);
        if (form == OpForm::Convert) {
          if (from == t || (op != Op::Convert && from == Scalar::Bool)) continue;
          const bool is_of_bits = op == Op::Bits || op == Op::FromBits;
          if (op == Op::Wrap && is_float(from)) continue;
          if (is_of_bits && (scalar_bytes(from) != scalar_bytes(t) || is_signed(from) ||
                             is_float(from) == is_float(t)))
            continue;
        }
        Pair pair = pair_of({op, t, static_cast<u16>(second), 0});
        if (!pair.with.is_sound()) pair = pair_of({op, t, static_cast<u16>(second), 0}, 1);
        if (!pair.with.is_sound()) {
          std::fprintf(stderr, "%s traps\n", kNames[number]);
          std::exit(1);
        }
        row.pairs[type].push_back(std::move(pair));
        row.sources[type].push_back(second);
      }
    }
  }
  // Divisions of integers that are shorter on this machine.
  OperationRow& powers = rows.emplace_back();
  powers.op = Op::Convert;
  powers.name = "BY_POWER(";
  for (u32 type = 1; type <= 8; ++type)
    for (const Op op : {Op::Div, Op::Rem, Op::DivFloor, Op::ModFloor, Op::Div0})
      if (is_integer(static_cast<Scalar>(type)))
        powers.pairs[type].push_back(pair_of({op, static_cast<Scalar>(type), 0, 0}, 4));
  struct {
    const char* name;
    Pair pair;
  } others[] = {{"Slot over Constant", slot_pair()},
                {"Store and load, straight", store_pair(false)},
                {"Store and load, beside branches", store_pair(true)},
                {"Branch, lanes differ", branch_pair(true)},
                {"Branch, lanes agree", branch_pair(false)},
                {"Lazy", lazy_pair()}};
  f64 lowering = 0, branch_lowering = 0;
  for (u32 round = 0; round < rounds; ++round) {
    unit.measure();
    for (OperationRow& row : rows)
      for (std::vector<Pair>& pairs : row.pairs)
        for (Pair& pair : pairs) pair.measure();
    for (auto& other : others) other.pair.measure();
    lowering = unit.with.lowering();
    branch_lowering = others[3].pair.with.lowering();
  }
  std::printf("// A sum of i64: %.1f ns for 256 lanes.\n", unit.term());
  std::printf("// Lowering of an instruction: %.2f; of code with branches: %.2f\n",
              10 * lowering / unit.term(), 10 * branch_lowering / unit.term());
  for (auto& other : others)
    std::printf("// %s: %u (%.2f)\n", other.name, tenths(other.pair.term() / unit.term()),
                10 * other.pair.term() / unit.term());
  const auto mean = [&](const OperationRow& row, u32 type) {
    f64 sum = 0;
    for (const Pair& pair : row.pairs[type]) sum += pair.term() / unit.term();
    return sum / static_cast<f64>(row.pairs[type].size());
  };
  for (const OperationRow& row : rows) {
    const auto alike = std::ranges::find_if(kAlike, [&](const std::vector<Op>& ops) {
      return std::ranges::find(ops, row.op) != ops.end();
    });
    std::printf("%s", row.name.c_str());
    for (u32 type = 1; type <= 8; ++type) {
      f64 sum = 0, count = 0;
      for (const OperationRow& other : rows) {
        const bool counts =
            other.name == row.name ||
            (alike != kAlike.end() && std::ranges::find(*alike, other.op) != alike->end());
        if (!counts || other.pairs[type].empty()) continue;
        sum += mean(other, type);
        ++count;
      }
      std::printf(", %u", row.pairs[type].empty() ? 0 : tenths(sum / count));
    }
    std::printf(")\n");
  }
  for (const OperationRow& row : rows) {
    if (row.op != Op::Convert && row.op != Op::Wrap && row.op != Op::Exact) continue;
    if (row.name[0] != 'C') continue;
    for (u32 source = 1; source <= 8; ++source) {
      std::string figures;
      bool is_taken = false;
      for (u32 type = 1; type <= 8; ++type) {
        u32 figure = 0;
        for (size_t k = 0; k < row.sources[type].size(); ++k)
          if (row.sources[type][k] == source)
            figure = tenths(row.pairs[type][k].term() / unit.term());
        is_taken = is_taken || figure != 0;
        figures += ", " + std::to_string(figure);
      }
      if (is_taken)
        std::printf("FROM(%s, %s%s)\n", kNames[static_cast<u32>(row.op)], kScalars[source],
                    figures.c_str());
    }
  }
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** words) {
  komuz::test::run(count > 1 ? static_cast<komuz::u32>(std::strtoul(words[1], nullptr, 10)) : 40);
}
