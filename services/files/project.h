// SPDX-License-Identifier: Apache-2.0
// The modules of a project: the path `lib.packing` is the file lib/packing.komuz of a project folder. Project folders
// are those that the caller names, in order, then the current one.
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/candidates/load_modules.h"

namespace komuz::services {

class ProjectFiles final : public engine::ModuleFiles {
 public:
  // Modules are also looked for in the folder of this file or, if it is a folder, in itself.
  void add_folder_of(const std::string& path);

  // Files that the command will write are no modules: a program's text cannot turn an output into an input.
  void leave_out(std::span<const std::string> written) {
    written_.assign(written.begin(), written.end());
  }
  // Those of them that a program has asked for.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  [[nodiscard]] std::optional<engine::ModuleText> read(std::string_view path) override;
  [[nodiscard]] std::vector<std::string> list() override;
  [[nodiscard]] std::string beside(std::string_view candidate, std::string_view path) override;

 private:
  // The file of a module in a folder other than where it is found; empty if there is none with another text.
  [[nodiscard]] std::string other_file(const std::string& folder, std::string_view path);

  // The module in the file; none if there is no such file.
  [[nodiscard]] std::optional<engine::ModuleText> read_file_of_module(std::string file);

  std::vector<std::string> written_, left_out_;
  std::string folder_of_others_;  // the last one, and other_file()'s results for it
  std::unordered_map<std::string, std::string> others_;
  std::vector<std::string> folders_;  // with a `/` at the end; empty: the current one
};

// The modules and options that one program is compiled with.
class Project {
 public:
  explicit Project(const std::string& program_path, frontend::Options options = {})
      : loader_(&files_, std::move(options)) {
    files_.add_folder_of(program_path);
  }
  [[nodiscard]] engine::ModuleLoader& modules() { return loader_; }
  [[nodiscard]] ProjectFiles& files() { return files_; }

 private:
  ProjectFiles files_;
  engine::ModuleLoader loader_;
};

}  // namespace komuz::services
