// SPDX-License-Identifier: Apache-2.0
#include "engine/input_error.h"

namespace komuz::engine {

std::string InputError::text() const {
  std::string out = file;
  if (line != 0) out += ':' + std::to_string(line);
  if (line != 0 && column != 0) out += ':' + std::to_string(column);
  if (!out.empty()) out += ": ";
  out += message;
  if (!remedy.empty()) out += "; " + remedy;
  return out;
}

}  // namespace komuz::engine
