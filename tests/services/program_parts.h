// SPDX-License-Identifier: Apache-2.0
// The programs of the repository and their parts, for tests that damage them: tokens, items, and the names that
// questions are asked about.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "engine/candidates/load_modules.h"
#include "services/analysis.h"

namespace komuz::test {

// Bytes of a text.
struct Stretch {
  u32 begin, end;
};

struct ProgramParts {
  std::vector<Stretch> tokens, items;
  // Where tokens begin that are names of something.
  std::vector<u32> names;

  // The item that a token is part of; outside of items the token alone.
  [[nodiscard]] Stretch damaged_by(Stretch token) const;
};
// Those of the text that was read last.
[[nodiscard]] ProgramParts parts_of(const services::Analysis& analysis);

// The modules beside a program.
class FolderModules : public engine::ModuleFiles {
 public:
  explicit FolderModules(std::filesystem::path root) : root_(std::move(root)) {}
  std::optional<engine::ModuleText> read(std::string_view path) override;
  std::vector<std::string> list() override { return {}; }

 private:
  std::filesystem::path root_;
};

// The programs of the repository, in a fixed order.
[[nodiscard]] std::vector<std::filesystem::path> corpus();
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

}  // namespace komuz::test
