// SPDX-License-Identifier: Apache-2.0
#include "lang/copy_code.h"

namespace komuz {

Code copy_code(const CodeView& code) {
  Code copy;
  copy.instructions.assign(code.instructions.begin(), code.instructions.end());
  copy.places.assign(code.places.begin(), code.places.end());
  copy.constants.assign(code.constants.begin(), code.constants.end());
  copy.functions.assign(code.functions.begin(), code.functions.end());
  copy.types.assign(code.types.begin(), code.types.end());
  copy.slot_types.assign(code.slot_types.begin(), code.slot_types.end());
  copy.parameter_names.assign(code.parameter_names.begin(), code.parameter_names.end());
  copy.names = code.names;
  return copy;
}

}  // namespace komuz
