// SPDX-License-Identifier: Apache-2.0
// The rows beside the instructions: how many there are of each kind, and where they go.
#pragma once
#include "lang/code.h"

namespace komuz::frontend {

// Numbers of rows and bytes of each kind, of one entry or of several.
struct HeaderSizes {
  u32 functions = 0, names = 0, types = 0, slots = 0, parameters = 0;
  bool operator==(const HeaderSizes&) const = default;
};
HD HeaderSizes combine(const HeaderSizes& a, const HeaderSizes& b) {
  return {a.functions + b.functions, a.names + b.names, a.types + b.types, a.slots + b.slots,
          a.parameters + b.parameters};
}

HD HeaderSizes difference(const HeaderSizes& behind, const HeaderSizes& before) {
  return {behind.functions - before.functions, behind.names - before.names,
          behind.types - before.types, behind.slots - before.slots,
          behind.parameters - before.parameters};
}

struct HeaderRows {
  Function* functions = nullptr;
  char* names = nullptr;
  u8* types = nullptr;
  u8* slot_types = nullptr;
  NameRange* parameter_names = nullptr;
};

}  // namespace komuz::frontend
