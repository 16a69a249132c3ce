// SPDX-License-Identifier: Apache-2.0
// The files of the page that `komuz lsp --page` serves: those of editors/web/built/, and the examples that it offers.
// The build makes the arrays (scripts/cmake/embed_texts.cmake).
#pragma once
#include <span>
#include <string_view>

namespace komuz::lsp {

struct PageFile {
  std::string_view name;  // page.js
  std::string_view text;
};
[[nodiscard]] std::span<const PageFile> page_files();
[[nodiscard]] std::span<const PageFile> page_examples();

}  // namespace komuz::lsp
