// SPDX-License-Identifier: Apache-2.0
#include "tests/services/example_files.h"

#include <algorithm>
#include <charconv>

#include "mend/source_text.h"

namespace komuz::services {
namespace {

// "lib.packing" of "// lib/packing.komuz"; nothing of any other line.
std::string path_in(std::string_view line) {
  constexpr std::string_view kBefore = "// ", kBehind = ".komuz";
  if (!line.starts_with(kBefore) || !line.ends_with(kBehind)) return {};
  line.remove_prefix(kBefore.size());
  line.remove_suffix(kBehind.size());
  std::string path(line);
  std::replace(path.begin(), path.end(), '/', '.');
  return path.find(' ') == std::string::npos ? path : std::string();
}

// `text` with a number in the place of `#`, and the one before it in that of `##`.
void add_numbered(std::string_view text, u32 number, std::string& out) {
  for (size_t at = 0; at < text.size(); ++at) {
    const bool is_number = text[at] == '#', is_earlier = text.substr(at, 2) == "##";
    out += is_number ? std::to_string(is_earlier ? number - 1 : number) : std::string(1, text[at]);
    at += is_earlier;
  }
}

// The text between `⟨` and `⟩`, alone on its line or not.
bool add_meant(std::string_view inner, std::string_view indent, bool is_line, std::string& out) {
  constexpr std::string_view kTimes = " × ";
  u32 number = 0;
  const size_t times = inner.find(kTimes);
  if (times == std::string_view::npos) {
    const auto [end, error] =
        std::from_chars(inner.data(), inner.data() + inner.size(), number, 16);
    if (inner.size() != 2 || error != std::errc() || end != inner.data() + 2) return false;
    out += static_cast<char>(number);
    return true;
  }
  const auto [end, error] = std::from_chars(inner.data(), inner.data() + times, number);
  if (error != std::errc() || end != inner.data() + times) return false;
  for (u32 k = 1; k <= number; ++k) {
    if (is_line && k > 1) out += "\n" + std::string(indent);
    add_numbered(inner.substr(times + kTimes.size()), k, out);
  }
  return true;
}

}  // namespace

std::string written_out(std::string_view example) {
  constexpr std::string_view kOpen = "⟨", kClose = "⟩";
  std::string out;
  for (size_t at = 0; at < example.size();) {
    const size_t open = std::min(example.find(kOpen, at), example.size());
    out += example.substr(at, open - at);
    const size_t close = example.find(kClose, open);
    if (close == std::string_view::npos) return out.append(example.substr(open));
    at = close + kClose.size();
    const size_t line = example.substr(0, open).rfind('\n') + 1;  // npos + 1 is the first
    const std::string_view indent = example.substr(line, open - line);
    const bool is_line = trimmed(indent).empty() && example.substr(at).starts_with('\n');
    const size_t begin = open + kOpen.size();
    if (!add_meant(example.substr(begin, close - begin), indent, is_line, out))
      out += example.substr(open, at - open);
  }
  return out;
}

std::vector<ExampleFile> files_of(std::string_view source) {
  std::vector<ExampleFile> files;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size() - 1);
    const std::string_view line = source.substr(0, end + 1);
    source.remove_prefix(end + 1);
    std::string path = path_in(line.substr(0, line.find('\n')));
    if (!path.empty())
      files.push_back({std::move(path), ""});
    else if (files.empty())
      files.push_back({"", std::string(line)});
    else
      files.back().text += line;
  }
  // The blank line between two files belongs to neither.
  for (ExampleFile& file : files)
    while (file.text.ends_with("\n\n")) file.text.pop_back();
  if (files.empty()) files.emplace_back();
  return files;
}

std::optional<engine::ModuleText> ExampleModules::read(std::string_view path) {
  const auto file = std::ranges::find(files_, path, &ExampleFile::path);
  if (file == files_.end()) return std::nullopt;
  return engine::ModuleText{std::string(path) + ".komuz", file->text};
}

}  // namespace komuz::services
