// SPDX-License-Identifier: Apache-2.0
#include "lang/link/library_rows.h"

namespace komuz {

FlatLibrary::FlatLibrary(const Library& library, std::span<const u32> files)
    : files_(files.begin(), files.end()) {
  const auto take = [](auto& to, const auto& from) {
    const auto begin = static_cast<u32>(to.size());
    to.insert(to.end(), from.begin(), from.end());
    return LibraryRows::Stretch{begin, static_cast<u32>(to.size())};
  };
  for (u32 k = 0; k < library.size(); ++k) {
    const Module& module = library[k];
    const Code& code = module.code;
    static_cast<void>(take(code_.places, code.places));
    modules_.push_back(
        {take(code_.instructions, code.instructions), take(code_.constants, code.constants),
         take(code_.functions, code.functions), take(code_.types, code.types),
         take(code_.slot_types, code.slot_types), take(code_.parameter_names, code.parameter_names),
         take(code_.names, code.names), take(heads_, module.heads)});
  }
}

LibraryRows FlatLibrary::rows() const {
  return {modules_,    code_.instructions, code_.places,          code_.constants, code_.functions,
          code_.types, code_.slot_types,   code_.parameter_names, code_.names,     heads_,
          files_};
}

Linking<Bounded>::Room FlatLibrary::room(u32 functions, u32 constants, u32 linked) const {
  return {.linked = linked,
          .units = static_cast<u32>(files_.size()) + 1,
          .functions = functions + static_cast<u32>(code_.functions.size()),
          .constants = constants + static_cast<u32>(code_.constants.size())};
}

}  // namespace komuz
