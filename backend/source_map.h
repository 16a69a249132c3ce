// SPDX-License-Identifier: Apache-2.0
// Where instructions stand in the files of a program, for texts of native code. Code is the same with it and without.
#pragma once
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::backend {

struct SourcePlace {
  u32 file = 0;  // of SourceMap::files
  u32 line = 0;  // from 1; 0: it is not known
  u32 column = 0;
};

struct SourceMap {
  std::vector<std::string> files;      // their names
  std::vector<SourcePlace> places;     // of each instruction
  std::vector<SourcePlace> functions;  // of the name of each function
};

}  // namespace komuz::backend
