// SPDX-License-Identifier: Apache-2.0
#include "repl/mended_input.h"

#include "mend/mend.h"

#include <algorithm>

namespace komuz::repl {

namespace {

// Errors hide others, and edits that touch each other wait for the next round.
constexpr int kMostRounds = 8;

bool is_own(const Answer::Source& source, const Input& input) {
  return source.name == input.name && source.first_byte <= source.text.size() &&
         std::string_view(source.text).substr(source.first_byte).starts_with(input.text);
}

// The edits inside of the input, as places in it, in order; of two that touch, the first.
std::vector<Edit> own_edits(const Input& input, const Answer& answer) {
  std::vector<Edit> edits;
  for (const Answer::Source& source : answer.sources) {
    if (!is_own(source, input)) continue;
    const u32 first = source.first_byte, last = first + static_cast<u32>(input.text.size());
    for (const Diagnostic& d : source.diagnostics) {
      const std::optional<Edit> edit = diagnostic_fix(d, source.text);
      if (edit && edit->begin >= first && edit->end <= last)
        edits.push_back({edit->begin - first, edit->end - first, edit->text});
    }
  }
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  std::vector<Edit> apart;
  for (Edit& edit : edits)
    if (apart.empty() || edit.begin > apart.back().end) apart.push_back(std::move(edit));
  return apart;
}

std::string edited(std::string_view text, const std::vector<Edit>& edits) {
  std::string out;
  size_t at = 0;
  for (const Edit& edit : edits) {
    out += text.substr(at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  return out += text.substr(at);
}

}  // namespace

std::string mended_input(const Input& input, const Answer& answer, const CheckInput& check) {
  std::string text;
  Answer wrong = answer;
  for (int round = 0; round < kMostRounds; ++round) {
    const Input now{round == 0 ? input.text : std::string_view(text), input.name, input.line};
    const std::vector<Edit> edits = own_edits(now, wrong);
    if (edits.empty()) break;
    text = edited(now.text, edits);
    wrong = {};
    if (check({text, input.name, input.line}, wrong)) break;
  }
  return text;
}

}  // namespace komuz::repl
