// SPDX-License-Identifier: Apache-2.0
// What is left of a text when parts of it are left out: which parts stay for a question, and in which form.
#include <algorithm>

#include "mend/near_miss.h"
#include "services/item_text.h"
#include "services/quick/text_parts.h"

namespace komuz::services {
namespace {

// What stands for all behind the name of a function whose name alone matters.
constexpr std::string_view kHead = "()->(){}";
u32 end_of_word(std::string_view text, u32 at) {
  while (at < text.size() && is_word_byte(text[at])) ++at;
  return at;
}
// `const A = 1;  /// …`, which would be about the item below if it stood alone.
bool has_doc_behind(std::string_view text, u32 end) {
  const size_t behind = text.find_first_not_of(" \t", end);
  return behind != std::string_view::npos && text.substr(behind).starts_with("///");
}
}  // namespace

template <class Stays>
std::vector<TextParts::Form> TextParts::with_needs(Stays stays_itself) const {
  std::vector<Form> forms(parts_.size(), Form::Gone);
  std::vector<u32> open;
  for (u32 k = 0; k < parts_.size(); ++k) {
    if (!stays_itself(parts_[k])) continue;
    forms[k] = Form::Whole;
    open.push_back(k);
  }
  while (!open.empty()) {
    const TextPart& part = parts_[open.back()];
    open.pop_back();
    for (const std::vector<u32>* needs : {&part.needs, &part.needed})
      for (const u32 other : *needs) {
        if (forms[other] == Form::Gone) open.push_back(other);
        forms[other] = Form::Whole;
      }
  }
  return forms;
}

GatheredText TextParts::left_of(std::string_view text, LeftOut how,
                                const std::vector<Form>& forms) const {
  GatheredText out(text, how);
  for (u32 k = 0; k < parts_.size(); ++k) {
    const TextPart& part = parts_[k];
    if (forms[k] == Form::Whole) continue;
    if (forms[k] == Form::Head) {
      out.keep(end_of_word(text, part.name));
      out.replace(part.end, kHead);
      continue;
    }
    out.keep(part.begin);
    const auto goes_with = [&](u32 next) {
      return next < parts_.size() && forms[next] == Form::Gone && parts_[next].has_plain_gap;
    };
    while (how == LeftOut::Gone && goes_with(k + 1)) ++k;
    out.leave_out(parts_[k].end);
  }
  out.keep(static_cast<u32>(text.size()));
  return out;
}

bool TextParts::is_user(const TextPart& part) const {
  const auto is_kept = [&](u32 k) { return parts_[k].is_kept; };
  return std::ranges::any_of(part.needs, is_kept) || std::ranges::any_of(part.needed, is_kept);
}

GatheredText TextParts::only_needed(std::string_view text, LeftOut how) const {
  return left_of(text, how,
                 with_needs([](const TextPart& part) { return !part.can_go || part.is_kept; }));
}
GatheredText TextParts::with_users(std::string_view text, LeftOut how) const {
  return left_of(text, how, with_needs([&](const TextPart& part) {
                   return !part.can_go || part.is_kept || is_user(part);
                 }));
}

GatheredText TextParts::with_names(std::string_view text, LeftOut how,
                                   const std::vector<SoughtWord>* sought) const {
  // So many names are compared (frontend_gpu/findings/near_names.cpp): which they are depends on all that come before.
  constexpr size_t kMostNames = 4000;
  if (names_.size() > kMostNames) sought = nullptr;
  const auto is_wanted = [&](u32 begin, bool is_function) {
    if (sought == nullptr) return true;
    const std::string_view name = text.substr(begin, end_of_word(text, begin) - begin);
    return std::ranges::any_of(*sought, [&](const SoughtWord& one) {
      return (one.is_called || !is_function) && !nearest_word(one.word, {&name, 1}).empty();
    });
  };
  std::vector<Form> forms = with_needs([&](const TextPart& part) {
    if (!part.can_go || part.is_kept || is_user(part)) return true;
    if (!part.is_code) return part.constant == 0 || is_wanted(part.constant, false);
    if (part.name == 0) return false;
    // Whether a function hides a built-in one depends on its parameters.
    const bool is_short = end_of_word(text, part.name) + kHead.size() > part.end;
    return part.has_builtin_name || (is_short && is_wanted(part.name, true));
  });
  for (u32 k = 0; k < parts_.size(); ++k) {
    const bool is_gone = forms[k] == Form::Gone;
    if (is_gone && parts_[k].name != 0 && is_wanted(parts_[k].name, true)) forms[k] = Form::Head;
  }
  return left_of(text, how, forms);
}

GatheredText TextParts::around(std::string_view text, u32 byte, LeftOut how) const {
  // Between two, both: a bracket may be open there. What stands in an example is a comment between two.
  const u32 end = first_behind(byte);
  const auto is_in = [&](u32 k) {
    return k < parts_.size() && parts_[k].begin < byte && !parts_[k].is_example;
  };
  u32 first = end;
  while (first != 0 && !is_in(first) && (first == end || parts_[first].is_example)) --first;
  std::vector<Form> forms = with_needs([&](const TextPart& part) {
    const auto k = static_cast<u32>(&part - parts_.data());
    return !part.can_go || (first <= k && k <= end) || has_doc_behind(text, part.end);
  });
  for (u32 k = 0; k < parts_.size(); ++k)
    if (parts_[k].is_example) forms[k] = Form::Whole;
  return left_of(text, how, forms);
}

std::string TextParts::with_heads(std::string_view text) const {
  std::string out(text);
  for (const TextPart& part : parts_) {
    if (!part.can_go || !part.is_code || part.is_kept) continue;
    u32 begin = part.begin;
    if (part.name != 0) {
      begin = part.body + 1;
      // Without a value that fits in, the body stays.
      if (part.value.empty() || begin + part.value.size() >= part.end) continue;
      std::ranges::copy(part.value, out.begin() + begin);
      begin += static_cast<u32>(part.value.size());
    }
    std::fill(out.begin() + begin, out.begin() + part.end - (part.name != 0 ? 1 : 0), ' ');
  }
  return out;
}

}  // namespace komuz::services
