// SPDX-License-Identifier: Apache-2.0
// The sources of the emulated groups include this file before all others, so that the race detector watches their
// columns (column.h). Watched accesses make functions large. Forced inlining of such functions would double the
// compiler's time.
#pragma once
#define KOMUZ_CHECKED_PASSES
#include "base/ints.h"
#undef HD
#define HD inline
