// SPDX-License-Identifier: Apache-2.0
// The modules of the documents of a folder: `lib.packing` is the file lib/packing.komuz of that folder or of one of the
// workspace's. A file that is open has the text that the editor holds.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "lsp/project/files.h"
#include "lsp/text/documents.h"

namespace komuz::lsp {

// The file of a module below a folder: that of `lib.packing` is lib/packing.komuz.
[[nodiscard]] std::string module_file(std::string_view folder, std::string_view module);

class FolderModules final : public engine::ModuleFiles {
 public:
  FolderModules(Files& files, std::vector<std::string> folders)
      : files_(files), folders_(std::move(folders)) {}

  // What is open from now on.
  void look_at(const Documents& documents) { documents_ = documents; }
  // What files are to hold, by their paths through all links, whatever they do.
  void suppose(std::map<std::string, std::string> texts) { supposed_ = std::move(texts); }

  // The file of a module that has another name than its path says, or lies elsewhere.
  void name(std::string path, std::string file) { named_[std::move(path)] = std::move(file); }

  [[nodiscard]] std::optional<engine::ModuleText> read(std::string_view path) override;
  [[nodiscard]] std::vector<std::string> list() override;
  // The files that a module may be, the first one that is there first; none of them may be there.
  [[nodiscard]] std::vector<std::string> files_of(std::string_view path) const;

 private:
  Files& files_;
  std::vector<std::string> folders_;
  Documents documents_;
  std::map<std::string, std::string> supposed_;
  std::map<std::string, std::string, std::less<>> named_;
};

}  // namespace komuz::lsp
