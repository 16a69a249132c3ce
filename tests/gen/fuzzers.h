// SPDX-License-Identifier: Apache-2.0
// One step of each fuzzer. A step is named by its seed. An empty answer means success; otherwise it tells the fault.
#pragma once
#include <string>

#include "frontend_gpu/device/batch.h"
#include "tests/frontend/everywhere.h"

namespace komuz::test {

struct Fuzzers {
  EveryGroup groups{};
  EveryMachine machines{};
  frontend::BatchCompiler device{frontend::emulated_device(0x5EED, 2)};
  frontend::BatchReader device_reader{};
  frontend::Compiler
      host{};  // like the device: without warnings about doc examples, as groups compile
  frontend::Compiler plain{frontend::Options{.is_plain = true}};

  // A generated program compiles to the same bytes on every group and runs to the same bits on every machine.
  [[nodiscard]] std::string differential(u64 seed);
  // A damaged source gives the same bytes on every group; if it still compiles, it runs like any other.
  [[nodiscard]] std::string mutated(u64 seed);
  // A token that changes inside one function's body leaves the other items' diagnostics alone, and their code if all of
  // it still compiles.
  [[nodiscard]] std::string contained(u64 seed);

  // The code of a generated program gives the same as the code before it is optimised: values, traps with their places,
  // fuel.
  [[nodiscard]] std::string optimised(u64 seed);

  // A sketch compiles to the same bytes on every group. Its variants fill in to plain programs without errors. Bound
  // to the sketch's code, they behave the same: values, traps, fuel. For those that cannot be bound, a device makes
  // the same code.
  [[nodiscard]] std::string sketched(u64 seed);

  // A program, of every other seed a damaged one, gives the serial group's bytes on an emulated device.
  [[nodiscard]] std::string on_device(u64 seed);

  u64 compiled = 0, ran = 0, trapped = 0;        // so that a run that tests nothing is noticed
  u64 instructions = 0, plain_instructions = 0;  // of optimised code, and of the same before

  u64 variants = 0, bound = 0;  // of sketches; those that were bound
  u64 expanded = 0;             // of sketches, expanded by a device

  // Compares the behaviour of two programs on random cases; empty if they agree.
  [[nodiscard]] std::string compare(const CodeView& code, const CodeView& other, u64 seed);
  // Every function on random cases.
  [[nodiscard]] std::string run_all(const CodeView& code, u64 seed);
};

// The scalars of a function's parameters, and whether some refer to a caller's cells: only callers can run such a
// function.
[[nodiscard]] std::string_view parameter_slots(const CodeView& code, const Function& f);
[[nodiscard]] bool takes_references(std::string_view slots);
// So many values of its parameters' types; every fourth case has cells that no value may have.
[[nodiscard]] std::vector<std::vector<u64>> fuzzed_arguments(const CodeView& code,
                                                             const Function& f, u64 seed,
                                                             u32 count);

}  // namespace komuz::test
