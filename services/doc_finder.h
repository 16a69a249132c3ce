// SPDX-License-Identifier: Apache-2.0
// What a name means: built-in names, the standard library, and modules that whoever asks finds.
#pragma once
#include <functional>
#include <optional>

#include "services/doc.h"

namespace komuz::services {

class DocFinder {
 public:
  // The text of the module with a path such as `lib.packing`.
  using ReadModule = std::function<std::optional<std::string>(std::string_view path)>;
  // Paths of the modules there are, of which a name may say the end alone: `packing` of `lib.packing`.
  using ListModules = std::function<std::vector<std::string>()>;
  explicit DocFinder(ReadModule read_module, ListModules list_modules = {})
      : read_module_(std::move(read_module)), list_modules_(std::move(list_modules)) {}

  // All that has the name: `clamp`, `lerp`, `math.lerp`, `std.math.lerp`, and of `std.math` all that it has.
  [[nodiscard]] std::vector<DocEntry> find(std::string_view name);
  // The known name most like this one, or of these; empty: none is.
  [[nodiscard]] std::string nearest(std::string_view name, std::vector<std::string> names = {});

 private:
  void find_in_modules(std::string_view name, std::vector<DocEntry>& found);
  bool find_in_module(std::string_view path, std::string_view name, std::vector<DocEntry>& found);

  ReadModule read_module_;
  ListModules list_modules_;
  frontend::Compiler compiler_;
};

}  // namespace komuz::services
