// SPDX-License-Identifier: Apache-2.0
// Linking: the code of a program and of the functions of modules that it reaches become one. Calls of functions without a
// body become calls of those that have their name; constants and places move along. What comes out has to pass the
// checker as any other code.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "lang/link/linking.h"

namespace komuz {

// The modules that code may be linked with, as places number their files: the harness, where the program is a candidate of one,
// the modules of the program's heads, and those of theirs. They may be too many (kMaxFiles); there are no more then.
void list_files(const Library& library, u32 harness, std::span<const u32> heads,
                std::vector<u32>& out);

// A workspace for one thread: reused, it stops allocating.
class Linker {
 public:
  // The entries of the program keep their numbers. Empty, or what has no definition: then `out` is of no use.
  [[nodiscard]] std::string link(const LinkUnit& program, const Library& library, Code& out);
  // What `entry` of a harness reaches, where the program defines the functions that the harness leaves open. The entry is
  // function 0.
  [[nodiscard]] std::string link_harness(u32 harness, std::string_view entry,
                                         const LinkUnit& program, const Library& library,
                                         Code& out);
  // After linking: the number that a function of the program has in the code; kNoModule: it is not reached.
  [[nodiscard]] u32 number_of(u32 function) const { return linking_.number_of(function); }

 private:
  [[nodiscard]] std::string said(Linked linked, const LinkUnit& program,
                                 const Library& library) const;

  Linking<Growing> linking_;
  std::vector<u32> files_;
};

}  // namespace komuz
