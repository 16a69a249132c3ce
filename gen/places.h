// SPDX-License-Identifier: Apache-2.0
// Places: a variable, its fields and elements, as text.
#pragma once
#include <string>

#include "gen/scope.h"

namespace komuz::gen {

struct Place {
  std::string text;  // empty: there is none
  TypeCode type;
};

}  // namespace komuz::gen
