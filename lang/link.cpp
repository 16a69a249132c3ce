// SPDX-License-Identifier: Apache-2.0
#include "lang/link.h"

namespace komuz {
namespace {

// As LibraryRows (library_rows.h).
class Modules {
 public:
  explicit Modules(const Library& library) : library_(library) {}
  [[nodiscard]] u32 size() const { return library_.size(); }
  [[nodiscard]] LinkUnit operator[](u32 number) const {
    return {library_[number].code.view(), library_[number].heads};
  }

 private:
  const Library& library_;
};

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

std::string Linker::link(const LinkUnit& program, const Library& library, Code& out) {
  return said(linking_.link(program, Modules(library), out), program, library);
}

std::string Linker::link_harness(u32 harness, std::string_view entry, const LinkUnit& program,
                                 const Library& library, Code& out) {
  const CodeView code = library[harness].code.view();
  const size_t first = code.find_function(entry);
  if (first == code.functions.size()) return quoted(entry);
  return said(
      linking_.link_harness(harness, static_cast<u32>(first), program, Modules(library), out),
      program, library);
}

std::string Linker::said(Linked linked, const LinkUnit& program, const Library& library) const {
  if (linked == Linked::Done) return {};
  const u32 unit = linking_.missing_unit();
  const CodeView code = unit == 0 ? program.code : library[unit - 1].code.view();
  return quoted(code.name(code.functions[linking_.missing_function()]));
}

}  // namespace komuz
