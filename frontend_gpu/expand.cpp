// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/expand.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/names/modules.h"
#include "lang/link/link.h"

namespace komuz::frontend {

std::vector<u32> needed_modules(const Library& library, std::vector<std::string> paths) {
  std::unordered_set<std::string> known(paths.begin(), paths.end());
  std::vector<u32> needed;
  Compiler compiler;
  for (size_t k = 0; k < paths.size(); ++k) {
    const u32 number = library.find(paths[k]);
    if (number == kNoModule) continue;
    needed.push_back(number);
    for (std::string& path : compiler.list_modules(library[number].text))
      if (known.insert(path).second) paths.push_back(std::move(path));
  }
  std::ranges::sort(needed);
  return needed;
}

const Module* module_of_place(u32 place, Compiler& compiler, std::string_view source,
                              const Library& library, u32 harness) {
  const u32 file = file_of(place);
  if (file == 0) return nullptr;
  ExpandedText text;
  TextHash unused;
  static_cast<void>(compiler.expand(source, text, unused));
  std::vector<u32> files;
  list_files(library, harness, text.heads, files);
  return file > files.size() ? nullptr : &library[files[file - 1]];
}

void Expansion::note_names(const Columns& c) {
  std::ranges::fill(names_, u64{0});
  for (Index t = 0; t < c.tokens; ++t) {
    const u32 hash = c.token_hash[t];
    names_[hash / 64 % kWords] |= u64{1} << hash % 64;
  }
}

void Expansion::add(u32 module) {
  if (std::ranges::find(heads_, module) == heads_.end()) heads_.push_back(module);
}

void Expansion::make(const Columns& c, std::string_view source, const Library& library) {
  note_names(c);
  heads_.clear();
  text_ = source;
  for (const std::string& path : list_paths(c))
    if (const u32 module = library.find(path); module != kNoModule && library[module].ok)
      add(module);
  for (size_t k = 0; k < heads_.size(); ++k) {
    const Module& module = library[heads_[k]];
    text_ += "\npub use " + module.path + ";";
    for (const InterfaceItem& item : module.interface) {
      if (item.is_function && !is_named(item.name_hash)) continue;
      text_ += '\n';
      text_ += item.text;
    }
    for (const u32 other : module.interface_uses) add(other);
  }
  text_ += '\n';
}

}  // namespace komuz::frontend
