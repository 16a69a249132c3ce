// SPDX-License-Identifier: Apache-2.0
// Modules for programs: which ones they name, those that these name in turn, each read and compiled once. `std.…` is the
// standard library; all others are files that whoever asks finds.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "lang/library.h"

namespace komuz::engine {

// Paths of the standard library begin so.
inline constexpr std::string_view kStandardPrefix = "std.";

struct ModuleText {
  std::string file;  // what people are shown
  std::string text;
  bool is_unreadable = false;  // it is there, and whoever runs this may not read it
};

// Where the texts of modules are, by paths such as `lib.packing`.
class ModuleFiles {
 public:
  virtual ~ModuleFiles() = default;
  [[nodiscard]] virtual std::optional<ModuleText> read(std::string_view path) = 0;
  // Some paths that there are, for who has misspelled one.
  [[nodiscard]] virtual std::vector<std::string> list() = 0;
};

class ModuleLoader {
 public:
  // No files: there is the standard library alone.
  explicit ModuleLoader(ModuleFiles* files = nullptr, frontend::Options options = {});

  ModuleLoader(const ModuleLoader&) = delete;  // the compiler knows the library by its address
  ModuleLoader& operator=(const ModuleLoader&) = delete;

  // The modules that a program names, and all that they need, if they are not there yet. What is wrong with them is in the
  // library; what is not there is not.
  void load(std::string_view source);
  // Looks again for paths that were not there.
  void forget_missing();
  // Reads files again, and forgets all modules where one has changed or is gone: true. Places of what was compiled before hold.
  bool forget_changed();
  // A harness: a module with functions that candidates define.
  u32 load_harness(std::string path, ModuleText text);
  [[nodiscard]] const Library& library() const { return library_; }

 private:
  struct Reading {
    Module module;
    std::vector<std::string> paths;  // that it names
    size_t next = 0;
    bool is_unreadable = false;
  };
  [[nodiscard]] std::optional<ModuleText> read(std::string_view path);
  void compile_harness(Module& module) const;
  // Is it one that is used as if it were none? Then it has open functions.
  void find_open(Module& module) const;
  void load_path(const std::string& path);
  void open(const std::string& path, std::vector<Reading>& stack);
  [[nodiscard]] static bool is_open(std::string_view path, const std::vector<Reading>& stack);

  ModuleFiles* files_;
  frontend::Options options_;
  Library library_;
  frontend::Compiler compiler_;
  std::unordered_set<std::string> missing_;  // paths that were looked for
  std::vector<Library> forgotten_;           // whose texts others may still point to
};

}  // namespace komuz::engine
