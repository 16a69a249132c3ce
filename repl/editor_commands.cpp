// SPDX-License-Identifier: Apache-2.0
// `:lsp`, by which editors are attached to the session.
#include <algorithm>
#include <optional>

#include "base/counts.h"
#include "repl/command_words.h"
#include "repl/commands.h"

namespace komuz::repl {
namespace {

constexpr std::string_view kOff = "off", kInput = "input";

std::string connected_text(u32 count) {
  return count == 0 ? "none is connected" : count == 1 ? "1 is" : grouped(count) + " are";
}

}  // namespace

Answer Commands::lsp(const Input& words) {
  Editors* const editors = host_.editors;
  if (editors == nullptr) return refused(words, "no editor can be attached here");
  const std::string usage = "write `:lsp 8940`, `:lsp` for any port that is free, or `:lsp off`";
  std::string_view rest = words.text;
  std::optional<u16> port;
  bool takes_input = false;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (word == kOff) {
      if (words.text != kOff) return refused(words, "`off` stands alone; " + usage);
      if (editors->port() == 0) return told("no editor can connect; `:lsp` lets them\n");
      editors->end();
      takes_input_ = false;
      return told("editors are cut off\n");
    }
    if (word == kInput && !takes_input) {
      takes_input = true;
      continue;
    }
    u16 number = 0;
    if (port || !read_number(word, number))
      return refused(words, "`" + std::string(word) +
                                "` is no port, which is a number from 0 to 65535; " + usage);
    port = number;
  }
  const u16 now = editors->port();
  if (now != 0 && port && *port != 0 && *port != now)
    return refused(
        words, "editors connect to port " + std::to_string(now) + " already; say `:lsp off` first");
  if (now == 0) {
    if (const std::string problem = editors->listen(port.value_or(0)); !problem.empty())
      return refused(words, problem + "; `:lsp` takes any port that is free");
    takes_input_ = false;
  }
  takes_input_ |= takes_input;
  return told("editors connect to 127.0.0.1:" + std::to_string(editors->port()) +
              (takes_input_ ? ", and may define items here" : "") +
              (now == 0 ? "" : "; " + connected_text(editors->connected())) + "\n");
}

}  // namespace komuz::repl
