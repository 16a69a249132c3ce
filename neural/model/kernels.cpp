// SPDX-License-Identifier: Apache-2.0
#include "neural/model/kernels.h"

namespace komuz::neural {

const Kernels& kernels(SimdLevel level) {
  switch (level) {
    case SimdLevel::Portable: return kernels_portable();
    case SimdLevel::Avx2: return kernels_avx2();
    case SimdLevel::Avx512: return kernels_avx512();
  }
  return kernels_portable();
}

}  // namespace komuz::neural
