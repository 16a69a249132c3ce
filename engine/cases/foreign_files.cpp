// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/foreign_files.h"

#include <string>

namespace komuz::engine {
namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view begin, ending, what, remedy;
};
constexpr Kind kKinds[] = {
#define FOREIGN(begin, ending, what, remedy) {begin##sv, ending, what, remedy},
#include "engine/cases/foreign_kinds.def"
#undef FOREIGN
};

// A tape's name of its format stands behind the first name in it.
constexpr std::string_view kTar = "ustar";
constexpr size_t kTarAt = 257;

// Replaces the mark by the name, whose quotes are doubled or have a `\` before them, and which stands in double quotes of
// a shell.
void name_in_command(std::string& remedy, std::string_view mark, std::string_view name,
                     std::string_view quote) {
  const size_t at = remedy.find(mark);
  if (at == std::string::npos) return;
  std::string text;
  for (const char c : name) {
    if (c == '\'' && quote == "'") text += c;
    if ((c == '\'' || c == '\\') && quote == "\\") text += '\\';
    text += c;
  }
  std::string word;
  for (const char c : text) {
    if (c == '"' || c == '$' || c == '`' || c == '\\') word += '\\';
    word += c;
  }
  remedy.replace(at, mark.size(), "'" + word);
}

std::string remedy_for(std::string_view remedy, std::string_view file) {
  std::string out(remedy);
  const std::string_view name = file == "-" ? "FILE" : file;
  name_in_command(out, "'SQL:FILE", name, "'");
  name_in_command(out, "'STR:FILE", name, "\\");
  if (out != remedy || file == "-") return out;
  constexpr std::string_view kName = "FILE";
  if (const size_t at = out.find(kName); at != std::string::npos)
    out.replace(at, kName.size(), shell_word(file));
  return out;
}

}  // namespace

Problem foreign_file_error(std::string_view file, std::string_view bytes) {
  for (const Kind& kind : kKinds) {
    if (!bytes.starts_with(kind.begin) || !file.ends_with(kind.ending)) continue;
    // A header may begin with these letters.
    const bool is_text =
        kind.begin == "BZh" && (bytes.size() < 4 || bytes[3] < '1' || bytes[3] > '9');
    const bool is_header = (kind.begin == "PAR1" || kind.begin == "ARROW1") &&
                           bytes.substr(0, 64).find_first_of(",;\t|\n") != std::string_view::npos;
    if (is_text || is_header) continue;
    return input_problem({std::string(file)}, "the file " + std::string(kind.what),
                         remedy_for(kind.remedy, file));
  }
  if (bytes.size() > kTarAt && bytes.substr(kTarAt).starts_with(kTar))
    return input_problem({std::string(file)}, "the file is an archive of tar",
                         remedy_for("unpack it: `tar -xf FILE`", file));
  return {};
}

}  // namespace komuz::engine
