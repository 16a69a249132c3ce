// SPDX-License-Identifier: Apache-2.0
// The files of the language server on a disk.
#pragma once
#include <string>
#include <vector>

#include "lsp/project/files.h"

namespace komuz::cli {

class DiskFiles final : public lsp::Files {
 public:
  [[nodiscard]] std::optional<std::string> read(const std::string& path) override;
  [[nodiscard]] Limited read_limited(const std::string& path, size_t most) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  // Looks at some entries at most, and at none of a home folder or of all of a disk, which a project is not meant to be.
  [[nodiscard]] std::vector<std::string> list_modules(const std::string& folder) override;
  [[nodiscard]] bool lists_all(const std::string& folder) override;
  [[nodiscard]] std::vector<std::string> list_folder(const std::string& folder) override;
  // Below XDG_CACHE_HOME, or .cache in HOME.
  [[nodiscard]] std::string keep(const std::string& name, std::string_view text) override;

 private:
  [[nodiscard]] bool walk(const std::string& folder, std::vector<std::string>& paths);
};

}  // namespace komuz::cli
