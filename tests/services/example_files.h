// SPDX-License-Identifier: Apache-2.0
// The examples of services/explanations as programs (services/explain.h describes their form). In an example of
// several files, a file begins with a comment that is just its name:
//
//   // harness.komuz          a harness, if there is one of this name; the others are its candidates
//   // lib/packing.komuz      the module lib.packing for those below it
//   // candidate.komuz        the last one is the program in question
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"

namespace komuz::services {

// Replaces each `⟨…⟩` by what it stands for. Other forms stay.
[[nodiscard]] std::string written_out(std::string_view example);

struct ExampleFile {
  std::string path;  // lib.packing; empty for a single file without a name
  std::string text;
};
// At least one.
[[nodiscard]] std::vector<ExampleFile> files_of(std::string_view source);

class ExampleModules final : public engine::ModuleFiles {
 public:
  explicit ExampleModules(const std::vector<ExampleFile>& files) : files_(files) {}

  std::optional<engine::ModuleText> read(std::string_view path) override;
  std::vector<std::string> list() override { return {}; }

 private:
  const std::vector<ExampleFile>& files_;
};

}  // namespace komuz::services
