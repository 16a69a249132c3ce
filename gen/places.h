// SPDX-License-Identifier: Apache-2.0
// Places as text: a variable, its fields and elements.
#pragma once
#include <string>

#include "gen/scope.h"

namespace komuz::gen {

struct Place {
  std::string text;  // empty: there is no place
  TypeCode type;
};

}  // namespace komuz::gen
