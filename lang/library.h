// SPDX-License-Identifier: Apache-2.0
// The modules that programs may use. Each is compiled once, for all programs of a batch. Data only: frontend_gpu
// compiles them (compile_module.h), and link.h joins their code with a program's.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/code.h"
#include "lang/diagnostics.h"
#include "lang/source_places.h"

namespace komuz {

inline constexpr u32 kNoModule = ~0u;

// A part of a module's interface: an item as it is written; a function is without its body.
struct InterfaceItem {
  std::string text;
  u32 name_hash = 0;         // of a function's name
  bool is_function = false;  // needed only if it is named; other items are always needed
};

// A name in the text of a copied item that means something outside of that text.
struct CopiedName {
  enum class Means : u8 {
    Copied,    // what item number `item` of the same module defines
    Shown,     // a public name of module `path`
    Path,      // the same, with its module before it
    Method,    // the same, behind the `.` of a value
    Space,     // a public space of module `path`
    Decision,  // a decision of a function
  };
  Means means = Means::Copied;
  u32 begin = 0, end = 0;  // of the name in the item's text, without the `?` of a hole
  u32 item = 0;
  std::string path = {};
};
// What a program gets a copy of: a public space of a module, or what such spaces need of their module: functions, constants, and types that are not
// public (frontend_gpu/shared_spaces.h).
struct CopiedItem {
  std::string name, text;  // without `pub`
  bool is_space = false, is_public = false;
  std::vector<CopiedName> names;      // in the order of the text
  std::vector<std::string> built_in;  // built-in names that it takes
};

struct Module {
  std::string path;  // `lib.packing`
  std::string file;  // what people are shown
  std::string text;
  std::vector<Diagnostic> diagnostics;  // of its own compilation
  std::string diagnosed;                // the text that they refer to; empty: the module's own
  bool ok = false;                      // it has no errors

  std::vector<InterfaceItem> interface;
  std::vector<u32> interface_uses;  // modules that the items of its interface name
  std::vector<std::string> public_names, private_names;
  std::vector<CopiedItem> shared;

  // For a harness: a function that it leaves to candidates, as it is written.
  struct OpenFunction {
    std::string name, text;
  };
  std::vector<OpenFunction> open;
  std::vector<std::string> waiting_names;  // functions that need a function left to candidates

  Code code;               // not linked: calls into other modules call Open functions
  std::vector<u32> heads;  // `owner` k of an Open function is module heads[k - 1]
};

class Library {
 public:
  // Paths that could be used, loaded or not: candidates for the correction of a misspelled one.
  std::vector<std::string> paths;
  // Paths that use themselves through others.
  std::vector<std::string> cyclic;

  [[nodiscard]] u32 size() const { return static_cast<u32>(modules_.size()); }
  [[nodiscard]] const Module& operator[](u32 number) const { return *modules_[number]; }
  // True if another module fits within the limit for one program.
  [[nodiscard]] bool has_room() const { return modules_.size() + 1 < kMaxFiles; }
  u32 add(Module module) {
    modules_.push_back(std::make_unique<Module>(std::move(module)));
    return size() - 1;
  }
  // Keeps the first `modules`.
  void cut(u32 modules) { modules_.resize(modules); }
  [[nodiscard]] u32 find(std::string_view path) const {
    for (u32 k = 0; k < size(); ++k)
      if (modules_[k]->path == path) return k;
    return kNoModule;
  }

 private:
  std::vector<std::unique_ptr<Module>> modules_;
};

}  // namespace komuz
