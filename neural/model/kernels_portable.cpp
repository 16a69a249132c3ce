// SPDX-License-Identifier: Apache-2.0
#include "neural/model/kernel_bodies.h"

namespace komuz::neural {

const Kernels& kernels_portable() { return kKernels; }

}  // namespace komuz::neural
