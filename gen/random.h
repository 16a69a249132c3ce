// SPDX-License-Identifier: Apache-2.0
// The stream of numbers that the generators draw from.
#pragma once
#include "base/random.h"

namespace komuz::gen {
using komuz::Random;
}
