// SPDX-License-Identifier: Apache-2.0
// What the teacher gains, and how long it takes, as rows of tables:
//
//   teach_bench [PROGRAMS [SEED [MOST_TAUGHT]]]
//
// Windows of programs of the generator, by their number of instructions, and of the examples and the standard library.
// Of each kind the rules are tried on all windows, and the whole teacher on MOST_TAUGHT of them, chosen at even distances.
// Instructions that are executed are counted on 64 guided inputs. A window without cheaper code counts 1.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/cases/case_columns.h"
#include "engine/testing/guides.h"
#include "engine/testing/property_entry.h"
#include "engine/testing/value_sampler.h"
#include "frontend_gpu/frontend.h"
#include "gen/gen.h"
#include "neural/teacher/costs.h"
#include "neural/teacher/teach.h"
#include "neural/windows/windows.h"
#include "vm/count_instructions.h"

namespace komuz::neural {
namespace {

struct Gains {
  u64 windows = 0, cheaper = 0, refused = 0;
  f64 executed = 0, cost = 0;  // sums of quotients
  std::vector<f64> microseconds;

  void add(const Code& before, const Code& after, bool is_cheaper, f64 taken);
};

// Instructions after over those before.
f64 executed_quotient(const CodeView& before, const CodeView& after) {
  constexpr u32 kInputs = 64;
  const engine::PropertyEntry entry(before, 0);
  const engine::ValueShape shape(entry.types());
  engine::ValueSampler sampler(shape, {});
  engine::Guides guides;
  engine::add_guides(before, 0, guides);
  engine::settle_guides(guides);
  engine::CaseColumns columns(entry.slot_types());
  std::vector<u64> cells(entry.slot_types().size());
  for (u32 k = 0; k < kInputs; ++k) {
    sampler.sample_guided(guides, 0, k, cells);
    columns.add(cells);
  }
  const auto count = [&](const CodeView& code) {
    return static_cast<f64>(vm::count_instructions({code, 0, columns.view()}));
  };
  return count(after) / count(before);
}

void Gains::add(const Code& before, const Code& after, bool is_cheaper, f64 taken) {
  ++windows;
  microseconds.push_back(taken);
  if (!is_cheaper) {
    executed += 1;
    cost += 1;
    return;
  }
  ++cheaper;
  executed += executed_quotient(before.view(), after.view());
  cost += static_cast<f64>(cost_of_code(after.view(), 0)) /
          static_cast<f64>(cost_of_code(before.view(), 0));
}

void print(const char* who, const std::string& what, Gains& gains) {
  if (gains.windows == 0) return;
  std::ranges::sort(gains.microseconds);
  const auto at = [&](f64 part) {
    return gains
        .microseconds[static_cast<size_t>(part * static_cast<f64>(gains.microseconds.size() - 1))];
  };
  const f64 n = static_cast<f64>(gains.windows);
  std::printf("| %s | %s | %llu | %.1f %% | %.3f | %.3f | %llu | %.1f | %.1f |\n", what.c_str(),
              who, static_cast<unsigned long long>(gains.windows),
              100 * static_cast<f64>(gains.cheaper) / n, gains.executed / n, gains.cost / n,
              static_cast<unsigned long long>(gains.refused), at(0.5), at(0.9));
  std::fflush(stdout);
}

template <class Work>
f64 microseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<f64, std::micro> taken = std::chrono::steady_clock::now() - start;
  return taken.count();
}

class Kind {
 public:
  explicit Kind(std::string name) : name_(std::move(name)) {}
  void add(Code lone) { windows_.push_back(std::move(lone)); }

  void run(size_t most_taught) {
    Gains by_rules, by_teacher;
    Rewriter rewriter;
    for (const Code& lone : windows_) {
      Code better;
      const f64 taken = microseconds([&] { better = rewriter.rewrite(lone.view()); });
      by_rules.add(lone, better, rewriter.is_cheaper(), taken);
    }
    print("rules", name_, by_rules);
    const size_t step = std::max<size_t>(1, windows_.size() / std::max<size_t>(1, most_taught));
    for (size_t k = 0; k < windows_.size() && most_taught != 0; k += step) {
      TaughtWindow taught;
      const f64 taken = microseconds([&] { taught = teach_window(windows_[k].view(), {}); });
      by_teacher.add(windows_[k], taught.code, taught.is_cheaper, taken);
      by_teacher.refused += taught.refused;
    }
    print("teacher", name_, by_teacher);
  }

 private:
  std::string name_;
  std::vector<Code> windows_;
};

// Calls use with each window that no earlier program had.
class Windows {
 public:
  template <class Use>
  void of_program(const std::string& source, const Use& use) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(source, made);
    if (!made.ok) return;
    for (u32 f = 0; f < made.code.functions.size(); ++f)
      for (const CodeWindow& window : find_code_windows(made.code.view(), f)) {
        LoneWindow lone = lone_window(made.code.view(), window);
        if (lone.code.functions.empty()) continue;
        std::string key;
        for (const Instruction& i : lone.code.instructions)
          key.append(reinterpret_cast<const char*>(&i), sizeof i);
        for (const u64 cell : lone.code.constants)
          key.append(reinterpret_cast<const char*>(&cell), sizeof cell);
        if (seen_.insert(key).second) use(std::move(lone.code));
      }
  }

 private:
  std::set<std::string> seen_;
};

int run(u64 programs, u64 first, u64 most_taught) {
  std::printf(
      "| windows | by | number | cheaper | executed | cost | not proved | median, µs | p90 |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  Kind classes[] = {Kind("simple, 3 to 7 instructions"), Kind("medium, 8 to 15"),
                    Kind("complex, 16 and more")};
  Windows windows;
  for (u64 seed = first; seed < first + programs; ++seed)
    windows.of_program(gen::generate_program(seed, {.tests = false}), [&](Code lone) {
      const size_t size = lone.instructions.size() - 1;
      if (size >= 3) classes[size < 8 ? 0 : size < 16 ? 1 : 2].add(std::move(lone));
    });
  for (Kind& kind : classes) kind.run(most_taught);
  Kind written("examples and standard library");
  for (const char* folder : {"examples", "stdlib"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".komuz") continue;
      std::ifstream file(entry.path());
      std::ostringstream text;
      text << file.rdbuf();
      windows.of_program(text.str(), [&](Code lone) { written.add(std::move(lone)); });
    }
  written.run(most_taught);
  return 0;
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  const auto number = [&](int at, komuz::u64 usual) {
    return count > at ? std::strtoull(words[at], nullptr, 10) : usual;
  };
  return komuz::neural::run(number(1, 1000), number(2, 1), number(3, 200));
}
