// SPDX-License-Identifier: Apache-2.0
// URIs of files and their paths. Knows no files: whether a path leads through links is asked elsewhere.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace komuz::lsp {

// `file:///a%20b` is /a b. Nothing: it is no file of this machine, as `untitled:1`.
[[nodiscard]] std::optional<std::string> path_of_uri(std::string_view uri);
[[nodiscard]] std::string uri_of_path(std::string_view path);

// Equal for URIs that name one document, however they are escaped.
[[nodiscard]] std::string uri_key(std::string_view uri);

}  // namespace komuz::lsp
