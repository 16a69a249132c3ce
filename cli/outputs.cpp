// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <algorithm>
#include <filesystem>

#include "cli/files.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

// Also of a file that is not there yet, or a link to one.
std::string place_of(const std::string& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored).string();
}
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || (!a.empty() && place_of(a) == place_of(b));
}
bool is_other_picture(std::string_view ending) {
  constexpr std::string_view kEndings[] = {".png", ".jpg", ".jpeg", ".gif", ".webp",
                                           ".pdf", ".ps",  ".eps",  ".html"};
  return std::ranges::find(kEndings, ending) != std::end(kEndings);
}
// Devices take whatever is written to them.
bool is_device(const std::string& path) {
  std::error_code ignored;
  return exists(path) && !fs::is_regular_file(path, ignored);
}

// Between an output and the inputs, or the outputs before it.
MaybeFileError find_conflict(std::span<const Output> outputs, size_t number,
                             std::span<const std::string> inputs) {
  const Output& output = outputs[number];
  const bool is_stdout = output.path == "-";
  if (is_stdout && !output.may_be_stdout)
    return FileError{"`" + output.option + "` takes a file, not standard output", "name one"};
  if (const std::string ending = fs::path(output.path).extension().string();
      output.is_drawing && is_other_picture(ending))
    return FileError{
        "`" + output.option + "` draws SVG, and " + output.path + " would be " + ending.substr(1),
        "name " + fs::path(output.path).replace_extension(".svg").string() +
            ", which other tools convert"};
  if (!is_stdout && is_device(output.path)) return std::nullopt;
  for (const std::string& input : inputs)
    if (!is_stdout && is_same_file(output.path, input))
      return FileError{"`" + output.option + "` would overwrite " + input + ", which is read",
                       "name another file"};
  for (const Output& other : outputs.first(number))
    if (output.path == other.path || is_same_file(output.path, other.path))
      return FileError{
          "`" + output.option + "` and `" + other.option + "` are one file, " + output.path,
          "name two"};
  return std::nullopt;
}

}  // namespace

Exit check_outputs(std::span<const Output> outputs, std::span<const std::string> inputs,
                   Terminal& terminal) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    if (output.path.empty()) continue;
    if (const auto conflict = find_conflict(outputs, i, inputs)) {
      terminal.error(conflict->message, conflict->remedy);
      return Exit::Usage;
    }
    if (output.path == "-") continue;
    if (const auto error = check_writable(output.path))
      return terminal.input_error(error->message, error->remedy);
  }
  return Exit::Success;
}

}  // namespace komuz::cli
