// SPDX-License-Identifier: Apache-2.0
#include "vm/lane_handlers.h"

namespace komuz::vm {

const LaneMachine& lane_machine_portable() { return kLaneMachine; }

}  // namespace komuz::vm
