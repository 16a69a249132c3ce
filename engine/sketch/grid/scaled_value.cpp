// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/scaled_value.h"

#include "frontend_gpu/text/decimal.h"

namespace komuz::engine {

ScaledValue scaled_power_of_two(i32 power, i32 exponent) {
  const frontend::WideFloat unit = frontend::scaled_down(1, -exponent);
  const i32 down = -(unit.exponent + power + 64);
  if (down < 2) return ScaledValue{1} << 126;
  return down > 127 ? 0 : (u128{unit.high} << 64 | unit.low) >> down;
}

}  // namespace komuz::engine
