// SPDX-License-Identifier: Apache-2.0
// Modules for programs: which ones they name, those that these name in turn, each read and compiled once. `std.…` is
// the standard library; all others are files that whoever asks finds.
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
  // Another file, which a candidate would have in its place if it were evaluated alone. `candidate`: its id, the path
  // of a file, or else it has none. Empty: there is none.
  [[nodiscard]] virtual std::string beside(std::string_view /*candidate*/,
                                           std::string_view /*path*/) {
    return {};
  }
  // Some paths that there are, for who has misspelled one.
  [[nodiscard]] virtual std::vector<std::string> list() = 0;
};

class ModuleLoader {
 public:
  // No files: there is the standard library alone.
  explicit ModuleLoader(ModuleFiles* files = nullptr, frontend::Options options = {});

  ModuleLoader(const ModuleLoader&) = delete;  // the compiler knows the library by its address
  ModuleLoader& operator=(const ModuleLoader&) = delete;

  // The modules that a program names, and all that they need, if they are not there yet. What is wrong with them is in
  // the library; what is not there is not.
  void load(std::string_view source);
  // Does that program need more modules than a program may have, a harness counted? It cannot be compiled then, and
  // some of them may not be there. What is to be said of it.
  static constexpr u32 kMostModules = kMaxFiles - 1;
  [[nodiscard]] bool needs_too_many() const { return needs_too_many_; }
  static constexpr std::string_view kTooMany =
      "it needs more modules than the 255 that a program may have, with those that they need";
  // Why that program is not compiled: it needs too many, or one of its modules is another for who evaluates it alone.
  // `candidate`: its id. Empty: it is.
  [[nodiscard]] std::string problem_of(std::string_view candidate) const;
  // The modules that it names, and those that a module names, by number.
  [[nodiscard]] const std::vector<u32>& named() const { return named_; }
  [[nodiscard]] const std::vector<u32>& named_by(u32 module) const { return named_by_[module]; }
  // Only the first `modules` of the library stay. Nobody may look at the others any more, nor at places in them.
  void keep_first(u32 modules);
  // The same where the others have become many: what one program after the other names is in nobody's way, but takes
  // memory. True: they are gone.
  bool keep_few(u32 modules);
  // The path of a module that came again with another text; empty: there is none.
  [[nodiscard]] const std::string& changed() const { return changed_; }
  // Looks again for paths that were not there.
  void forget_missing();
  // Reads files again, and forgets all modules where one has changed or is gone: true. Places of what was compiled
  // before hold.
  bool forget_changed();
  // A harness: a module with functions that candidates define.
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
  // Is it one that is used as if it were none? Then it has open functions.
  void find_open(Module& module) const;
  void load_path(const std::string& path);
  void note_missing(const std::string& path);
  [[nodiscard]] bool is_missing(const std::string& path) const;
  void forget_all();
  u32 add(Module module, std::vector<std::string> paths);
  void find_named(u32 first);
  [[nodiscard]] bool find_too_many() const;
  // What the last program names, and all that these need.
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
