// SPDX-License-Identifier: Apache-2.0
// Files in and out, with errors that a user can act on.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"
#include "cli/terminal/terminal.h"

namespace komuz::cli {

// What errno says of "read" or "write". A problem with a file names it in its message.
Problem system_error(std::string_view what, const std::string& path);

// A source has at most 16 MiB; one byte more is enough for the front end to say so.
inline constexpr size_t kMostSourceBytes = (size_t{16} << 20) + 1;

// The whole file, or its first `most` bytes. `-` is standard input. Of what may be longer than a source: whole_file.h.
Problem read_file(const std::string& path, std::string& out, size_t most = kMostSourceBytes);
// The files that the words stand for: a file for itself, a folder for all *.komuz below it, sorted by path. What is wrong
// with a word is returned, and the others go on.
[[nodiscard]] std::vector<Problem> find_sources(std::span<const std::string_view> words,
                                                std::vector<std::string>& paths);

[[nodiscard]] bool is_folder(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);
// Whether both are there and are one, whatever they are called.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

}  // namespace komuz::cli
