// SPDX-License-Identifier: Apache-2.0
// Unpacks files of cases that gzip has packed.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/support/watch.h"

namespace komuz::engine {

[[nodiscard]] inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

// Unpacks all members of a file of gzip, `most` bytes at most. The rest behind a line that is longer than any may be is
// not unpacked, since the reader of the text refuses that line. Errors: damaged, cut off, too long; stopped().
Problem unpack_gzip(std::string_view file, std::string_view packed, size_t most, const Watch& watch,
                    std::string& out);

}  // namespace komuz::engine
