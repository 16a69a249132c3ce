// SPDX-License-Identifier: Apache-2.0
#include "cli/process/freed_memory.h"

#include <malloc.h>

namespace komuz::cli {

void give_freed_memory_back() {
  // The second one keeps larger pieces out of mmap, whose pages are made anew each time: setting the first alone would
  // leave that at 128 KiB.
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

}  // namespace komuz::cli
