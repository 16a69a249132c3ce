// SPDX-License-Identifier: Apache-2.0
// Finds the meaning of a name among built-in names, the standard library, and modules that the caller finds.
#pragma once
#include <functional>
#include <optional>

#include "services/doc.h"

namespace komuz::services {

class DocFinder {
 public:
  // The text of the module with a path such as `lib.packing`.
  using ReadModule = std::function<std::optional<std::string>(std::string_view path)>;
  // The paths of existing modules. A name may be only the end of a path: `packing` for `lib.packing`.
  using ListModules = std::function<std::vector<std::string>()>;
  explicit DocFinder(ReadModule read_module, ListModules list_modules = {})
      : read_module_(std::move(read_module)), list_modules_(std::move(list_modules)) {}

  // All meanings of a name: `clamp`, `lerp`, `math.lerp`, `std.math.lerp`, and for `std.math` all its names.
  [[nodiscard]] std::vector<DocEntry> find(std::string_view name);
  // The known name, or one of `names`, that is most like this one; empty if none is.
  [[nodiscard]] std::string nearest(std::string_view name, std::vector<std::string> names = {});

 private:
  void find_in_modules(std::string_view name, std::vector<DocEntry>& found);
  bool find_in_module(std::string_view path, std::string_view name, std::vector<DocEntry>& found);

  ReadModule read_module_;
  ListModules list_modules_;
  frontend::Compiler compiler_;
};

}  // namespace komuz::services
