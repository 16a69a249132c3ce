// SPDX-License-Identifier: Apache-2.0
// Reads and writes files, with errors that a user can act on.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::services {

// The problem for errno after "read" or "write". Its message names the file.
Problem system_error(std::string_view what, const std::string& path);

// A source has at most 16 MiB. One more byte lets the front end report the excess.
inline constexpr size_t kMostSourceBytes = (size_t{16} << 20) + 1;

// Reads the whole file, or its first `most` bytes. `-` is standard input. For files that may be longer than a source
// see whole_file.h.
Problem read_file(const std::string& path, std::string& out, size_t most = kMostSourceBytes);
// The files that the words name: a file itself, or all *.komuz below a folder, sorted by path. Returns the faults of
// words; the other words are still handled.
[[nodiscard]] std::vector<Problem> find_sources(std::span<const std::string_view> words,
                                                std::vector<std::string>& paths);

[[nodiscard]] bool is_folder(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);
// True if both exist and are the same file, whatever their names.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

}  // namespace komuz::services
