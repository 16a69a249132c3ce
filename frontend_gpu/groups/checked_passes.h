// SPDX-License-Identifier: Apache-2.0
// What the sources of the emulated groups include before all else: their columns are watched by the race detector
// (column.h). Functions that watch what they touch are large: forced into each other they take the compiler twice as long.
#pragma once
#define KOMUZ_CHECKED_PASSES
#include "base/ints.h"
#undef HD
#define HD inline
