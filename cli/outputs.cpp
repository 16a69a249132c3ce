// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <algorithm>
#include <filesystem>

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

}  // namespace

MaybeFileError check_outputs(std::span<const Output> outputs, std::span<const std::string> inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    if (output.path.empty()) continue;
    const bool is_stdout = output.path == "-";
    if (is_stdout && !output.may_be_stdout)
      return FileError{"`" + output.option + "` takes a file, not standard output", "name one"};
    if (const std::string ending = fs::path(output.path).extension().string();
        output.is_drawing && is_other_picture(ending))
      return FileError{
          "`" + output.option + "` draws SVG, and " + output.path + " would be " + ending.substr(1),
          "name " + fs::path(output.path).replace_extension(".svg").string() +
              ", which other tools convert"};
    if (!is_stdout) {
      if (auto error = check_writable(output.path)) return error;
      if (is_device(output.path)) continue;
      for (const std::string& input : inputs)
        if (is_same_file(output.path, input))
          return FileError{"`" + output.option + "` would overwrite " + input + ", which is read",
                           "name another file"};
    }
    for (size_t k = 0; k < i; ++k)
      if (output.path == outputs[k].path || is_same_file(output.path, outputs[k].path))
        return FileError{
            "`" + output.option + "` and `" + outputs[k].option + "` are one file, " + output.path,
            "name two"};
  }
  return std::nullopt;
}

}  // namespace komuz::cli
