// SPDX-License-Identifier: Apache-2.0
#include "base/machine/own_folder.h"

#include <dlfcn.h>
#include <link.h>

namespace komuz::machine {

std::filesystem::path own_folder() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  Dl_info info{};
  link_map* object = nullptr;
  const bool is_found = dladdr1(reinterpret_cast<const void*>(&own_folder), &info,
                                reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
  // The executable itself has no name there.
  if (is_found && object != nullptr && object->l_name != nullptr && *object->l_name != 0)
    return fs::canonical(object->l_name, ignored).parent_path();
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace komuz::machine
