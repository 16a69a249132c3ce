// SPDX-License-Identifier: Apache-2.0
// Linking: the code of a program and of the functions of modules that it reaches become one. Calls of functions without a
// body become calls of those that have their name; constants and places move along. What comes out has to pass the
// checker as any other code.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "lang/library.h"

namespace komuz {

// A program's code as its front end made it. `heads`: as of a Module.
struct LinkedProgram {
  const CodeView& code;
  std::span<const u32> heads;
};

// Is there anything to link?
[[nodiscard]] bool is_open(const CodeView& code);

// A workspace for one thread: reused, it stops allocating.
class Linker {
 public:
  // The entries of the program keep their numbers. Empty, or what has no definition: then `out` is of no use.
  [[nodiscard]] std::string link(LinkedProgram program, const Library& library, Code& out);
  // What `entry` of a harness reaches, where the program defines the functions that the harness leaves open. The entry is
  // function 0.
  [[nodiscard]] std::string link_harness(u32 harness, std::string_view entry, LinkedProgram program,
                                         const Library& library, Code& out);
  // After linking: the number that a function of the program has in the code; kNoModule: it is not reached.
  [[nodiscard]] u32 number_of(u32 function) const {
    return numbers_[0].empty() ? kNoModule : numbers_[0][function];
  }

 private:
  struct Definition {
    u32 unit = 0, function = 0;
  };
  // Unit 0 is the program, unit k + 1 module k: the numbers of files in places.
  struct Unit {
    CodeView code;
    std::span<const u32> heads;
  };
  [[nodiscard]] Unit unit(u32 number) const;
  void begin(LinkedProgram program, const Library& library);
  [[nodiscard]] std::string finish(Code& out);
  [[nodiscard]] u32 number_of(u32 unit, u32 function);
  [[nodiscard]] bool define(u32 unit, u32 function, Definition& out) const;
  [[nodiscard]] std::string append(Definition what, Code& out);

  const Library* library_ = nullptr;
  Unit program_;
  u32 harness_ = kNoModule;
  std::vector<Definition> order_;            // what the code holds
  std::vector<std::vector<u32>> numbers_;    // by unit and function, its place in `order_`
  std::vector<std::vector<u32>> constants_;  // by unit and cell, its place in the pool
};

}  // namespace komuz
