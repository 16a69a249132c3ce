// SPDX-License-Identifier: Apache-2.0
// The files that a project may have, as the server sees them. Whoever starts it says where they are: on a disk, in a
// record, in the memory of a test.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::lsp {

class Files {
 public:
  virtual ~Files() = default;
  // Nothing: it is not there, or may not be read.
  [[nodiscard]] virtual std::optional<std::string> read(const std::string& path) = 0;
  // The same of a file that may be large: it is read only if it is a regular file of at most so many bytes.
  struct Limited {
    enum class State : u8 { There, Missing, NoFile, TooLarge } state = State::Missing;
    std::string text;
  };
  [[nodiscard]] virtual Limited read_limited(const std::string& path, size_t most);
  // The path of a file or of what would be one, through all links.
  [[nodiscard]] virtual std::string real_path(const std::string& path) = 0;
  // Paths of the modules below a folder, `lib.packing`; of a large folder some.
  [[nodiscard]] virtual std::vector<std::string> list_modules(const std::string& folder) = 0;
  // False: the folder is so large that some are left out.
  [[nodiscard]] virtual bool lists_all(const std::string& folder) = 0;
  // Names of what lies in a folder, those of folders with a `/` behind; of what is hidden none, of many some.
  [[nodiscard]] virtual std::vector<std::string> list_folder(const std::string& folder);
  // A text of the executable as a file that an editor can open, `std/math.komuz`. Empty: it cannot be kept.
  [[nodiscard]] virtual std::string keep(const std::string& name, std::string_view text) = 0;
};

}  // namespace komuz::lsp
