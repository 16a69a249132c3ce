// SPDX-License-Identifier: Apache-2.0
// Linking joins the code of a program with the functions of modules that it reaches. Calls of functions without a
// body become calls of the functions with their names. Constants and places are renumbered. The result has to pass
// the checker like any other code.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "lang/link/linking.h"

namespace komuz {

// The modules that code may be linked with, in the order in which places number their files: the harness, if the
// program is a candidate of one, the modules of the program's heads, and those of their heads. If they are too many,
// the list ends at kMaxFiles.
void list_files(const Library& library, u32 harness, std::span<const u32> heads,
                std::vector<u32>& out);

// A workspace for one thread. Reused, it stops allocating.
class Linker {
 public:
  // The entries of the program keep their numbers. Returns the function without a definition, for which `out` is
  // useless; empty if there is none.
  [[nodiscard]] std::string link(const LinkUnit& program, const Library& library, Code& out);
  // Links the functions that `entry` of a harness reaches. The program defines the functions that the harness leaves
  // open. The entry becomes function 0.
  [[nodiscard]] std::string link_harness(u32 harness, std::string_view entry,
                                         const LinkUnit& program, const Library& library,
                                         Code& out);
  // After linking: the number of a function of the program in the linked code; kNoModule if it is not reached.
  [[nodiscard]] u32 number_of(u32 function) const { return linking_.number_of(function); }

 private:
  [[nodiscard]] std::string said(Linked linked, const LinkUnit& program,
                                 const Library& library) const;

  Linking<Growing> linking_;
  std::vector<u32> files_;
};

}  // namespace komuz
