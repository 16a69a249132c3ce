// SPDX-License-Identifier: Apache-2.0
#include "cli/files/outputs.h"

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "cli/files/write_target.h"
#include "services/files/drawing_file.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

// The identity of a file, whatever its name. None: it does not exist.
struct FileId {
  dev_t device;
  ino_t number;
  bool operator==(const FileId&) const = default;
};
std::optional<FileId> id_of(const std::string& path) {
  struct stat status {};
  if (path.empty() || stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}
// Two outputs may be the same file that does not exist yet, or links to one.
bool is_same_output(const std::string& a, const std::string& b) {
  const std::optional<FileId> id = id_of(a);
  if (id) return id == id_of(b);
  const std::string place = place_of_file(a);
  return !place.empty() && place == place_of_file(b);
}
// Devices accept any number of outputs.
bool is_device(const std::string& path) {
  std::error_code ignored;
  return services::exists(path) && !fs::is_regular_file(path, ignored);
}

// Faults of an output by itself, and conflicts with the outputs before it.
Problem find_conflict(std::span<const Output> outputs, size_t number) {
  const Output& output = outputs[number];
  const bool is_stdout = output.path == "-";
  if (is_stdout && !output.may_be_stdout)
    return input_problem({}, "`" + output.option + "` takes a file, not standard output",
                         "name one");
  if (output.is_drawing)
    if (Problem problem = services::find_drawing_problem(output.option, output.path))
      return problem;
  if (!is_stdout && is_device(output.path)) return {};
  for (const Output& other : outputs.first(number))
    if (!other.path.empty() &&
        (output.path == other.path || is_same_output(output.path, other.path)))
      return input_problem(
          {}, "`" + output.option + "` and `" + other.option + "` are one file, " + output.path,
          "name two");
  return {};
}

// The outputs that exist, and their names.
class PresentOutputs {
 public:
  explicit PresentOutputs(std::span<const Output> outputs) {
    for (const Output& output : outputs)
      if (output.path != "-" && !is_device(output.path))
        if (const auto id = id_of(output.path)) present_.emplace_back(*id, &output);
  }
  [[nodiscard]] bool empty() const { return present_.empty(); }
  // Null: the input is none of them.
  [[nodiscard]] const Output* find(const std::string& input) const {
    const std::optional<FileId> id = id_of(input);
    for (const auto& [present, output] : present_)
      if (id == present) return output;
    return nullptr;
  }

 private:
  std::vector<std::pair<FileId, const Output*>> present_;
};

}  // namespace

Exit check_inputs_stay(std::span<const Output> outputs, std::span<const std::string> inputs,
                       Terminal& terminal) {
  const PresentOutputs present(outputs);
  if (present.empty()) return Exit::Success;
  for (const std::string& input : inputs)
    if (const Output* output = present.find(input)) {
      terminal.error("`" + output->option + "` would overwrite " + input + ", which is read",
                     "name another file");
      return Exit::Usage;
    }
  return Exit::Success;
}

Exit check_outputs(std::span<const Output> outputs, std::span<const std::string> inputs,
                   Terminal& terminal) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path.empty()) continue;
    if (const auto conflict = find_conflict(outputs, i)) {
      terminal.error(conflict.message(), conflict.remedy());
      return Exit::Usage;
    }
  }
  if (const Exit stay = check_inputs_stay(outputs, inputs, terminal); stay != Exit::Success)
    return stay;
  for (const Output& output : outputs) {
    if (output.path.empty() || output.path == "-") continue;
    WriteTarget target;
    const auto error =
        output.grows ? check_appendable(output.path) : find_write_target(output.path, target);
    if (error) return terminal.input_error(error.message(), error.remedy());
  }
  return Exit::Success;
}

}  // namespace komuz::cli
