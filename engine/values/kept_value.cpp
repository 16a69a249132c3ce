// SPDX-License-Identifier: Apache-2.0
#include "engine/values/kept_value.h"

#include <algorithm>
#include <vector>

#include "base/characters.h"
#include "engine/values/packed_cells.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

// Reads JSON up to a place, and says which element stands there.
class Elements {
 public:
  explicit Elements(std::string_view json) : json_(json) {
    while (at_ < json.size()) read(json[at_]);
  }

  // The beginning of the last element or, within a text, of the last character.
  [[nodiscard]] size_t begin() const { return is_text_ ? character_ : element_; }
  [[nodiscard]] bool is_text() const { return is_text_; }
  // True if nothing of the element has been read yet.
  [[nodiscard]] bool is_at_begin() const { return !is_text_ && element_ == json_.size(); }
  [[nodiscard]] std::string element() const {
    const bool is_behind = !is_text_ && !is_at_begin();
    std::string text;
    for (size_t k = 0; k < open_.size(); ++k) {
      const Open& open = open_[k];
      const u64 index = open.index + (is_behind && k + 1 == open_.size() ? 1 : 0);
      if (open.is_list)
        text += '[' + std::to_string(index) + ']';
      else if (!open.name.empty())
        text += '.' + std::string(open.name);
    }
    if (is_text_) text += '[' + std::to_string(bytes_) + ']';
    return text;
  }

 private:
  struct Open {
    bool is_list = false;
    size_t begin = 0;
    u64 index = 0;
    std::string_view name = {};
  };

  void read(char c) {
    if (is_text_) return read_text(c);
    const size_t here = at_++;
    switch (c) {
      case '[':
      case '{':
        open_.push_back({c == '[', here});
        element_ = at_;
        return;
      case ']':
      case '}':
        element_ = open_.back().begin;
        open_.pop_back();
        return;
      case ',':
        ++open_.back().index;
        if (!open_.back().is_list) open_.back().name = {};
        skip_blank();
        element_ = at_;
        return;
      case ':':
        skip_blank();
        element_ = at_;
        return;
      case '"':
        if (read_name()) return;
        is_text_ = true;
        bytes_ = 0;
        character_ = at_;
        return;
    }
  }
  void skip_blank() {
    if (at_ < json_.size() && json_[at_] == ' ') ++at_;
  }
  // Names of fields have no escapes. False: it is a value. An incomplete name is none: the object itself differs.
  bool read_name() {
    if (open_.empty() || open_.back().is_list || !open_.back().name.empty()) return false;
    const size_t end = std::min(json_.find('"', at_), json_.size());
    if (end == json_.size()) {
      element_ = open_.back().begin;
      open_.pop_back();
      at_ = end;
      return true;
    }
    open_.back().name = json_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  void read_text(char c) {
    const auto byte = static_cast<u8>(c);
    const bool is_escape = c == '\\';
    size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (is_escape) length = at_ + 1 < json_.size() && json_[at_ + 1] == 'u' ? 6 : 2;
    const size_t end = at_ + length;
    at_ = std::min(end, json_.size());
    if (end > json_.size()) return;  // the difference is within the character
    is_text_ = c != '"';
    bytes_ += is_escape ? 1 : length;
    character_ = at_;
  }

  std::string_view json_;
  size_t at_ = 0;
  std::vector<Open> open_;
  size_t element_ = 0;
  bool is_text_ = false;
  size_t character_ = 0;
  u64 bytes_ = 0;  // of the text, before that
};

bool ends_element(std::string_view json, size_t at) {
  return at >= json.size() || json[at] == ',' || json[at] == ']' || json[at] == '}';
}

constexpr size_t kPartBytes = 100;

}  // namespace

std::string_view beginning_of(std::string_view text) {
  constexpr size_t kBytes = 200;
  return text.size() <= kBytes ? text : text.substr(0, character_start(text, kBytes));
}

std::optional<Difference> first_difference(std::string_view a, std::string_view b) {
  const auto same = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (same == a.size() && same == b.size()) return std::nullopt;
  const Elements elements(a.substr(0, same));
  // If one list ends where the other goes on, the next element differs.
  if (!elements.is_text() && ends_element(a, same) && ends_element(b, same))
    return Difference{same, elements.element()};
  const u64 at = elements.begin();
  return Difference{at, Elements(a.substr(0, at)).element()};
}

Difference difference_at(std::string_view json, u64 at) {
  return {at, Elements(json.substr(0, at)).element()};
}

std::string part_at(std::string_view json, u64 at) {
  const size_t begin = std::min<u64>(at, json.size());
  std::string_view rest = json.substr(begin);
  if (rest.size() > kPartBytes) rest = rest.substr(0, character_start(rest, kPartBytes));
  const bool is_text = Elements(json.substr(0, begin)).is_text();
  return (is_text ? "\"" : "") + std::string(rest);
}

void KeptValue::clear() {
  bytes = 0;
  differs_at = kNoDifference;
  for (std::string* const text : {&cells, &begin, &there}) text->clear();
}

void KeptValue::keep(std::string_view type, std::span<const u64> cells_of,
                     std::span<const u64> expected) {
  clear();
  // The text of a scalar is short.
  if (cells_of.size() > 1) {
    std::string text;
    print_value(text, type, cells_of, ValueStyle::Json);
    if (text.size() > kMostValueBytes) {
      std::string other;
      if (!expected.empty()) print_value(other, type, expected, ValueStyle::Json);
      *this = part_of(text, expected.empty() ? std::nullopt : first_difference(text, other));
      return;
    }
  }
  pack_cells(cells_of, cells);
}

std::string cut_text(const KeptValue& value, std::string_view element) {
  if (value.differs_at == KeptValue::kNoDifference) return value.begin + "…";
  std::string_view part = value.there;
  const bool is_end = value.differs_at + part.size() >= value.bytes;
  if (part.starts_with(", ")) part.remove_prefix(2);
  // The value has ended here, but the other goes on.
  if (part.starts_with(']') || part.starts_with('}')) part = "nothing";
  const std::string where = element.empty() ? "" : "… at " + std::string(element) + ": ";
  return where + std::string(part) + (is_end ? "" : "…");
}

bool is_shown_as_part(std::string_view json) { return beginning_of(json).size() < json.size(); }

KeptValue part_of(std::string_view json, const std::optional<Difference>& difference) {
  KeptValue value;
  value.begin = beginning_of(json);
  value.bytes = json.size();
  if (!difference) return value;
  value.differs_at = difference->at;
  value.there = part_at(json, value.differs_at);
  return value;
}

}  // namespace komuz::engine
