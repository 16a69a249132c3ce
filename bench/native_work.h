// SPDX-License-Identifier: Apache-2.0
// Programs as work for both the batch machine and native code.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "bench/native_programs.h"
#include "frontend_gpu/frontend.h"
#include "lang/cases.h"

namespace komuz::bench {

// The code of a program, and arguments for it.
class Work {
 public:
  Work(const NativeProgram& program, u32 cases) : cases_(cases) {
    frontend::Compiler compiler;
    const std::string text = text_of(program);
    compiler.compile(text, compiled_);
    if (!compiled_.ok) return;
    const CodeView code = view();
    const Function& f = code.functions[entry()];
    std::mt19937_64 random(7);
    for (u32 k = 0; k < f.parameter_slots; ++k) {
      const auto type = static_cast<Scalar>(code.slot_types[f.slots_begin + k]);
      std::vector<u64>& column = arguments_.emplace_back(cases + 64);
      for (u32 row = 0; row < cases; ++row) {
        const u64 number = program.least + random() % (program.most - program.least + 1);
        const f64 real = static_cast<f64>(number) / 128;
        if (type == Scalar::F64)
          std::memcpy(&column[row], &real, sizeof real);
        else
          column[row] = number;
      }
      // Columns start at multiples of 64 bytes.
      const size_t skip = (64 - reinterpret_cast<uintptr_t>(column.data()) % 64) % 64 / 8;
      std::memmove(column.data() + skip, column.data(), cases * 8);
      columns_.push_back({type, column.data() + skip});
    }
    for (Outcomes* const out : {&first_, &second_}) {
      out->values.resize(u64{f.result_cells} * cases);
      out->traps.resize(cases);
      out->places.resize(cases);
      out->depths.resize(cases);
      out->fuel.resize(cases);
    }
  }

  [[nodiscard]] bool ok() const { return compiled_.ok; }
  [[nodiscard]] CodeView view() const { return compiled_.code.view(); }
  [[nodiscard]] u32 entry() const {
    return static_cast<u32>(compiled_.code.view().find_function("f"));
  }
  [[nodiscard]] CasesView cases() const { return {columns_, cases_}; }
  [[nodiscard]] OutcomesView first() { return first_.view(); }
  [[nodiscard]] OutcomesView second() { return second_.view(); }
  [[nodiscard]] bool agree() const { return first_ == second_; }
  [[nodiscard]] bool is_trapped() const {
    return std::ranges::any_of(first_.traps, [](Trap trap) { return trap != Trap::None; });
  }

 private:
  struct Outcomes {
    std::vector<u64> values;
    std::vector<Trap> traps;
    std::vector<u32> places, depths;
    std::vector<u64> fuel;
    bool operator==(const Outcomes&) const = default;
    OutcomesView view() { return {values, traps, places, depths, fuel}; }
  };
  frontend::Compilation compiled_;
  u32 cases_;
  std::vector<std::vector<u64>> arguments_;
  std::vector<ArgumentColumn> columns_;
  Outcomes first_, second_;
};

// The processor that native code is made for: that which KOMUZ_CPU names, else this one.
inline std::string processor() {
  const char* const named = std::getenv("KOMUZ_CPU");
  return named != nullptr ? named : "native";
}

inline Result<backend::NativeCode> compile(const Work& work, u32 lanes,
                                           backend::Effort effort = backend::Effort::Normal) {
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return Problem(opened.problem());
  // What was made before is forgotten.
  opened.value()->configure({});
  return opened.value()->compile(work.view(), work.entry(), effort, processor(), {lanes});
}

}  // namespace komuz::bench
