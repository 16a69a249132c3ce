// SPDX-License-Identifier: Apache-2.0
#include "lang/link/link.h"

#include <algorithm>

namespace komuz {
namespace {

// The same interface as LibraryRows (library_rows.h).
class Modules {
 public:
  Modules(const Library& library, std::span<const u32> files) : library_(library), files_(files) {}
  [[nodiscard]] std::span<const u32> files() const { return files_; }
  [[nodiscard]] LinkUnit operator[](u32 number) const {
    return {library_[number].code.view(), library_[number].heads};
  }

 private:
  const Library& library_;
  std::span<const u32> files_;
};

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

void list_files(const Library& library, u32 harness, std::span<const u32> heads,
                std::vector<u32>& out) {
  out.clear();
  const auto add = [&](std::span<const u32> modules) {
    for (const u32 module : modules)
      if (out.size() < kMaxFiles && std::ranges::find(out, module) == out.end())
        out.push_back(module);
  };
  if (harness != kNoModule) out.push_back(harness);
  add(heads);
  for (size_t k = 0; k < out.size(); ++k) add(library[out[k]].heads);
}

std::string Linker::link(const LinkUnit& program, const Library& library, Code& out) {
  list_files(library, kNoModule, program.heads, files_);
  return said(linking_.link(program, Modules(library, files_), out), program, library);
}

std::string Linker::link_harness(u32 harness, std::string_view entry, const LinkUnit& program,
                                 const Library& library, Code& out) {
  const CodeView code = library[harness].code.view();
  const size_t first = code.find_function(entry);
  if (first == code.functions.size()) return quoted(entry);
  list_files(library, harness, program.heads, files_);
  const Linked linked = linking_.link_harness(harness, static_cast<u32>(first), program,
                                              Modules(library, files_), out);
  return said(linked, program, library);
}

std::string Linker::said(Linked linked, const LinkUnit& program, const Library& library) const {
  if (linked == Linked::Done) return {};
  if (linked == Linked::NoRoom) return "a number for so many files";
  const u32 module = linking_.missing_module();
  const CodeView code = module == kNoModule ? program.code : library[module].code.view();
  return quoted(code.name(code.functions[linking_.missing_function()]));
}

}  // namespace komuz
