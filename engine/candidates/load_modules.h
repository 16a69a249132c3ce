// SPDX-License-Identifier: Apache-2.0
// Modules for programs: finds the modules that a program names, and those that these name in turn, and compiles each
// once. `std.…` is the standard library. All others are files, which the caller's ModuleFiles finds.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/support/hash_slots.h"
#include "frontend_gpu/frontend.h"
#include "lang/library.h"

namespace komuz::engine {

// Prefix of the standard library's paths.
inline constexpr std::string_view kStandardPrefix = "std.";

struct ModuleText {
  std::string file;  // what people are shown
  std::string text;
  bool is_unreadable = false;  // the file exists, but the user may not read it
};

// Finds the texts of modules by paths such as `lib.packing`.
class ModuleFiles {
 public:
  virtual ~ModuleFiles() = default;
  [[nodiscard]] virtual std::optional<ModuleText> read(std::string_view path) = 0;
  // The file that would take this one's place if the candidate were evaluated alone; empty if there is none.
  // `candidate`: the candidate's id, which may be the path of a file.
  [[nodiscard]] virtual std::string beside(std::string_view /*candidate*/,
                                           std::string_view /*path*/) {
    return {};
  }
  // Some paths that exist, for suggestions where a path is misspelled.
  [[nodiscard]] virtual std::vector<std::string> list() = 0;
};

class ModuleLoader {
 public:
  // Without files there is the standard library alone.
  explicit ModuleLoader(ModuleFiles* files = nullptr, frontend::Options options = {});

  ModuleLoader(const ModuleLoader&) = delete;  // the compiler knows the library by its address
  ModuleLoader& operator=(const ModuleLoader&) = delete;

  // Loads the modules that a program names, and all that these need, unless they are loaded already. The library
  // keeps what is wrong with them. A module that is not found is not in the library.
  void load(std::string_view source);
  // Says so if the last program needs more modules than a program may have (a harness counts as one). Such a program
  // cannot be compiled, and some of its modules may not be loaded.
  static constexpr u32 kMostModules = kMaxFiles - 1;
  [[nodiscard]] bool needs_too_many() const { return needs_too_many_; }
  static constexpr std::string_view kTooMany =
      "it needs more modules than the 255 that a program may have, with those that they need";
  // Returns why the last program is not compiled: it needs too many modules, or one of its modules would be another
  // file if the candidate were evaluated alone. Empty if it is compiled. `candidate`: its id.
  [[nodiscard]] std::string problem_of(std::string_view candidate) const;
  // The numbers of the modules that the last program names, or that a module names.
  [[nodiscard]] const std::vector<u32>& named() const { return named_; }
  [[nodiscard]] const std::vector<u32>& named_by(u32 module) const { return named_by_[module]; }
  // Keeps only the first `modules` of the library. Nobody may look at the others any more, nor at places in them.
  void keep_first(u32 modules);
  // Does the same once the others have become many: the modules of earlier programs harm nobody, but take memory.
  // True if they were dropped.
  bool keep_few(u32 modules);
  // The path of a module that was read again with another text; empty if there is none.
  [[nodiscard]] const std::string& changed() const { return changed_; }
  // Paths that were not found are looked for again.
  void forget_missing();
  // Reads the files again. If one has changed or is gone, forgets all modules and returns true. Places in code that
  // was compiled before stay valid.
  bool forget_changed();
  // Loads a harness: a module with functions that candidates define.
  u32 load_harness(std::string path, ModuleText text);
  [[nodiscard]] const Library& library() const { return library_; }

 private:
  static constexpr u32 kMany = 256;
  struct Reading {
    Module module;
    std::vector<std::string> paths;  // that it names
    size_t next = 0;
    bool is_unreadable = false;
  };
  [[nodiscard]] std::optional<ModuleText> read(std::string_view path);
  void compile_harness(Module& module) const;
  // Finds the open functions of a module that does not compile alone: a harness that is used like another module.
  void find_open(Module& module) const;
  void load_path(const std::string& path);
  void note_missing(const std::string& path);
  [[nodiscard]] bool is_missing(const std::string& path) const;
  void forget_all();
  u32 add(Module module, std::vector<std::string> paths);
  void find_named(u32 first);
  [[nodiscard]] bool find_too_many() const;
  // The modules that the last program names, and all that these need.
  [[nodiscard]] std::vector<u32> needed(u32 more_than) const;
  void open(const std::string& path, std::vector<Reading>& stack);
  [[nodiscard]] static bool is_open(std::string_view path, const std::vector<Reading>& stack);

  ModuleFiles* files_;
  frontend::Options options_;
  Library library_;
  frontend::Compiler compiler_;
  std::vector<u32> named_;  // by the last program
  bool needs_too_many_ = false;
  std::vector<std::vector<std::string>> paths_;  // that modules name, by their numbers
  std::vector<std::vector<u32>> named_by_;
  u32 harness_ = kNoModule;
  std::unordered_set<Hash128, Hashed> missing_;  // paths that were looked for
  std::unordered_map<Hash128, Hash128, Hashed>
      gone_;  // texts of modules that did not stay, by their paths
  std::string changed_;
  Library
      forgotten_;  // what the last change has made another one, whose texts others may still point to
};

}  // namespace komuz::engine
