// SPDX-License-Identifier: Apache-2.0
#include "vm/one_lane_table.h"

namespace komuz::vm {

const OneLaneHandlers& one_lane_handlers_avx2() { return kOneLaneHandlers; }

}  // namespace komuz::vm
