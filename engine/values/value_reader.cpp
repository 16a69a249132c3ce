// SPDX-License-Identifier: Apache-2.0
#include "engine/values/value_reader.h"

#include <algorithm>

#include "base/counts.h"
#include "engine/support/shown.h"
#include "engine/values/bytes_text.h"

namespace komuz::engine {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

ValueReader::ReadError ValueReader::read(std::string_view text, ValueStyle style,
                                         std::span<u64> cells) {
  text_ = text;
  style_ = style;
  cells_ = cells;
  at_ = 0;
  node_ = 0;
  open_.clear();
  is_given_.clear();
  if (shape_.has_slice)
    return ValueError{0, "a slice has no values of its own",
                      "the type is " + type_text(shape_.codes)};
  if (shape_.has_nested_option && style_ == ValueStyle::Json)
    return ValueError{
        0, "JSON cannot tell the values of an `Option` of an `Option` apart",
        "use a type of your own for the inner one; the type is " + type_text(shape_.codes)};
  std::ranges::fill(cells_, 0);
  cursor_.reset();
  for (;;) {
    skip_blanks();
    is_open_ = false;
    if (ReadError error = value()) return error;
    if (is_open_) continue;
    if (ReadError error = close()) return error;
    if (open_.empty()) break;
  }
  skip_blanks();
  if (at_ != text_.size()) return expected("nothing more");
  return std::nullopt;
}

ValueReader::ReadError ValueReader::value() {
  switch (node().code) {
    case kTupleCode: return tuple();
    case kRecordCode: return record();
    case kSumCode: return sum();
    case kOptionCode: return option();
    case kArrayCode:
    case kListCode: return elements();
  }
  return scalar();
}

ValueReader::ReadError ValueReader::scalar() {
  const size_t begin = at_;
  if (next_is('"')) {
    const size_t quote = text_.find('"', at_ + 1);
    at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
  } else if (next_is('\'') && style_ == ValueStyle::Text) {
    // A character, or `\` and a character, may be a quote.
    const size_t inside = at_ + (text_.substr(at_).starts_with("'\\") ? 3 : 2);
    const size_t quote = text_.find('\'', inside);
    at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
  } else if (next_is('[') || next_is('{') || next_is('(')) {
    at_ = text_.size();  // no scalar, so show all of it
  } else {
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != ',' && text_[at_] != ']' &&
           text_[at_] != ')' && text_[at_] != '}')
      ++at_;
  }
  ReadError error = parse_scalar(node().scalar(), text_.substr(begin, at_ - begin), style_,
                                 cells_[cursor_.cell(node_)]);
  if (error) error->at += begin;
  return error;
}

ValueReader::ReadError ValueReader::tuple() {
  Open of = {.node = node_, .count = node().count, .at = at_};
  if (style_ == ValueStyle::Text && take('('))
    of.closer = ')';
  else if (take('['))
    of.closer = ']';
  else
    return expected("`[`");
  return open(of);
}

ValueReader::ReadError ValueReader::record() {
  const u32 constructor = node().first_constructor;
  const Constructor& of_record = shape_.constructors[constructor];
  Open of = {.node = node_, .constructor = constructor, .count = of_record.fields, .at = at_};
  if (style_ == ValueStyle::Text && word() == of_record.name) {
    at_ += of_record.name.size();
    skip_blanks();
    if (!next_is('(')) return expected("`(`");
  }
  if (style_ == ValueStyle::Text && take('('))
    of.closer = ')';
  else if (take('{'))
    of.closer = '}';
  else
    return expected("`{`");
  return open(of);
}

ValueReader::ReadError ValueReader::elements() {
  const bool is_bytes = shape_.is_bytes(node_);
  if (is_bytes && next_is('"')) return bytes();
  if (is_bytes && is_whole_text() && !next_is('[')) return plain_bytes();
  Open of = {.node = node_, .count = node().count, .closer = ']', .at = at_};
  if (!take('[')) return expected(is_bytes ? "a text in quotes or `[`" : "`[`");
  return open(of);
}

ValueReader::ReadError ValueReader::bytes() {
  const size_t begin = at_;
  if (ReadError error = take_quoted(text_, at_, style_, bytes_)) return error;
  if (bytes_.size() > node().count) return wrong_count(node_, begin, bytes_.size());
  cells_[cursor_.cell(node_)] = bytes_.size();
  for (size_t k = 0; k < bytes_.size(); ++k)
    cells_[cursor_.cell(node_, 1) + k] = static_cast<u8>(bytes_[k]);
  return std::nullopt;
}

// True if nothing is around it, except an Option that is not spelled out.
bool ValueReader::is_whole_text() const {
  if (style_ != ValueStyle::Text) return false;
  return open_.empty() || (open_.size() == 1 && open_[0].closer == 0 && at_ < text_.size() &&
                           shape_.nodes[open_[0].node].code == kOptionCode);
}

// A text without quotes, including its blanks.
ValueReader::ReadError ValueReader::plain_bytes() {
  if (text_.size() > node().count) return wrong_count(node_, 0, text_.size());
  cells_[cursor_.cell(node_)] = text_.size();
  for (size_t k = 0; k < text_.size(); ++k)
    cells_[cursor_.cell(node_, 1) + k] = static_cast<u8>(text_[k]);
  at_ = text_.size();
  return std::nullopt;
}

ValueReader::ReadError ValueReader::option() {
  const bool is_nested = shape_.nodes[node_ + 1].code == kOptionCode;
  const std::string_view next = word();
  if (next == "null" && !is_nested) return at_ += next.size(), std::nullopt;
  if (style_ == ValueStyle::Text && next == "None") return at_ += next.size(), std::nullopt;
  Open of = {.at = at_};
  if (style_ == ValueStyle::Text && next == "Some") {
    at_ += next.size();
    skip_blanks();
    if (!take('(')) return expected("`(`");
    of.closer = ')';
  } else if (is_nested) {
    return expected("`None` or `Some(…)`");
  }
  return open_alternative(1, of);
}

ValueReader::ReadError ValueReader::sum() {
  const size_t begin = at_;
  if (next_is('{')) return sum_in_braces();
  const bool in_quotes = next_is('"');
  if (!in_quotes && style_ == ValueStyle::Json) return expected("`{` or a name in quotes");
  const std::string_view name = in_quotes ? take_name() : word();
  const u32 alternative = find_alternative(name);
  if (alternative == node().count) return at_ = begin, no_alternative(name);
  if (!in_quotes) at_ += name.size();
  Open of = {.closer = ')', .at = begin};
  if (shape_.constructors[node().first_constructor + alternative].fields != 0) {
    if (in_quotes)
      return at_ = begin,
             wrong(shown(name) + " has fields: write {\"" + std::string(name) + "\": {…}}");
    skip_blanks();
    if (!take('(')) return expected("`(`");
  }
  return open_alternative(alternative, of);
}

// Reads {"Circle": {"r": 1.0}}.
ValueReader::ReadError ValueReader::sum_in_braces() {
  Open of = {.closer = '}', .is_in_braces = true, .at = at_};
  (void)take('{');
  skip_blanks();
  const size_t begin = at_;
  const std::string_view name = take_name();
  if (name.empty()) return expected("a name in quotes");
  const u32 alternative = find_alternative(name);
  if (alternative == node().count) return at_ = begin, no_alternative(name);
  if (shape_.constructors[node().first_constructor + alternative].fields == 0)
    return at_ = begin, wrong(shown(name) + " has no fields: write \"" + std::string(name) + "\"");
  skip_blanks();
  if (!take(':')) return expected("`:`");
  skip_blanks();
  if (!take('{')) return expected("`{`");
  return open_alternative(alternative, of);
}

ValueReader::ReadError ValueReader::open_alternative(u32 alternative, Open of) {
  cells_[cursor_.cell(node_)] = alternative;
  of.node = node_;
  of.constructor = node().first_constructor + alternative;
  of.count = shape_.constructors[of.constructor].fields;
  if (of.count == 0) return std::nullopt;
  of.is_region = true;
  of.outer = cursor_.enter_alternative(node_, alternative);
  return open(of);
}

ValueReader::ReadError ValueReader::open(Open of) {
  of.flags = is_given_.size();
  if (of.constructor != kNoConstructor) is_given_.resize(of.flags + of.count, false);
  open_.push_back(of);
  skip_blanks();
  const bool is_empty = shape_.nodes[of.node].has_elements() ? next_is(']') : of.count == 0;
  return is_empty ? std::nullopt : next_part();
}

ValueReader::ReadError ValueReader::next_part() {
  Open& of = open_.back();
  is_open_ = true;
  skip_blanks();
  if (shape_.nodes[of.node].has_elements()) return next_element(of);
  if (of.constructor != kNoConstructor && of.closer != 0) return next_field(of);
  of.part = of.given++ == 0 ? of.node + 1 : shape_.nodes[of.part].next;
  node_ = of.part;
  return std::nullopt;
}

ValueReader::ReadError ValueReader::next_element(Open& of) {
  if (of.given == of.count) return wrong_count(of.node, of.at, count_elements(of.at + 1));
  if (of.given++ == 0) {
    of.outer = cursor_.enter_elements(of.node);
    of.is_region = true;
  } else {
    cursor_.next_element(of.node);
  }
  node_ = of.node + 1;
  return std::nullopt;
}

ValueReader::ReadError ValueReader::no_field(std::span<const ShapeField> fields,
                                             std::string_view key) const {
  std::vector<std::string_view> names;
  for (const ShapeField& field : fields) names.push_back(field.name);
  const std::string near = near_name(key, names, "");
  return wrong("there is no field " + shown(key) + (near.empty() ? "" : "; " + near));
}

ValueReader::ReadError ValueReader::next_field(Open& of) {
  const std::span<const ShapeField> fields = shape_.fields_of(shape_.constructors[of.constructor]);
  const size_t begin = at_;
  u32 field = of.given;
  std::string_view key;
  if (of.closer == '}') {
    key = take_name();
    if (key.empty()) return expected("a field's name in quotes");
    skip_blanks();
    if (!take(':')) return expected("`:`");
  } else if (key = word(); !key.empty()) {
    at_ += key.size();
    skip_blanks();
    if (!take(':')) {  // a value without a name
      at_ = begin;
      key = {};
    }
  }
  if (!key.empty()) {
    const auto found =
        std::ranges::find_if(fields, [&](const ShapeField& one) { return one.name == key; });
    if (found == fields.end()) return at_ = begin, no_field(fields, key);
    field = static_cast<u32>(found - fields.begin());
  }
  if (is_given_[of.flags + field])
    return at_ = begin, wrong("the field " + shown(fields[field].name) + " is given twice");
  is_given_[of.flags + field] = true;
  ++of.given;
  node_ = fields[field].node;
  return std::nullopt;
}

ValueReader::ReadError ValueReader::close() {
  while (!open_.empty()) {
    Open& of = open_.back();
    skip_blanks();
    if (ReadError error =
            shape_.nodes[of.node].has_elements() ? close_elements(of) : close_fields(of))
      return error;
    if (is_open_) return std::nullopt;
    if (of.is_in_braces) {
      skip_blanks();
      if (!take('}')) return expected("`}`");
    }
    is_given_.resize(of.flags);
    if (of.is_region) cursor_.leave(of.outer);
    open_.pop_back();
  }
  return std::nullopt;
}

ValueReader::ReadError ValueReader::close_elements(Open& of) {
  if (of.given != 0 && take(',')) {
    skip_blanks();
    if (!next_is(']')) return next_part();
    if (style_ == ValueStyle::Json) return expected("a value");
  }
  if (!take(']')) return expected("`,` or `]`");
  const bool is_list = shape_.nodes[of.node].code == kListCode;
  if (!is_list && of.given != of.count) return wrong_count(of.node, of.at, of.given);
  if (of.is_region) cursor_.leave(of.outer);
  of.is_region = false;
  if (is_list) cells_[cursor_.cell(of.node)] = of.given;
  return std::nullopt;
}

ValueReader::ReadError ValueReader::close_fields(Open& of) {
  const bool is_named = of.constructor != kNoConstructor;
  if (of.given != of.count) {
    if (take(',')) return next_part();
    if (!is_named || !next_is(of.closer)) return expected("`,`");
    const auto fields = shape_.fields_of(shape_.constructors[of.constructor]);
    size_t missing = 0;
    while (is_given_[of.flags + missing]) ++missing;
    return wrong("the field " + shown(fields[missing].name) + " is missing");
  }
  if (of.closer == 0) return std::nullopt;
  if (is_named && next_is(',')) {
    const size_t begin = at_++;
    skip_blanks();
    const bool is_json = style_ == ValueStyle::Json;
    const std::string_view key = is_json ? take_name() : word();
    if (!is_json) at_ += key.size();
    skip_blanks();
    if (!key.empty() && next_is(':'))
      return at_ = begin + 1, no_field(shape_.fields_of(shape_.constructors[of.constructor]), key);
    at_ = begin;
  }
  const bool may_trail = style_ == ValueStyle::Text && of.closer == ')' && of.count != 0 &&
                         (is_named || of.count == 1);
  if (may_trail && take(',')) skip_blanks();
  if (!take(of.closer)) return expected(std::string("`") + of.closer + '`');
  return std::nullopt;
}

void ValueReader::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool ValueReader::take(char c) {
  if (!next_is(c)) return false;
  ++at_;
  return true;
}

std::string_view ValueReader::word() const {
  size_t end = at_;
  while (end < text_.size() && is_name_byte(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view ValueReader::take_name() {
  const size_t quote = next_is('"') ? text_.find('"', at_ + 1) : std::string_view::npos;
  if (quote == std::string_view::npos) return {};
  const std::string_view name = text_.substr(at_ + 1, quote - at_ - 1);
  at_ = quote + 1;
  return name;
}

u32 ValueReader::find_alternative(std::string_view name) const {
  u32 alternative = 0;
  while (alternative < node().count &&
         shape_.constructors[node().first_constructor + alternative].name != name)
    ++alternative;
  return alternative;
}

// Counts the elements of the list whose first element starts at `at`, up to its `]`.
u64 ValueReader::count_elements(size_t at) const {
  u64 commas = 0, depth = 0;
  bool is_behind_comma = false;
  for (; at < text_.size(); ++at) {
    const char c = text_[at];
    if (is_blank(c)) continue;
    if (depth == 0 && (c == ']' || c == ')' || c == '}')) break;
    is_behind_comma = depth == 0 && c == ',';
    commas += is_behind_comma;
    depth += c == '[' || c == '(' || c == '{';
    depth -= c == ']' || c == ')' || c == '}';
    if (c == '"' || (c == '\'' && style_ == ValueStyle::Text))
      for (++at; at < text_.size() && text_[at] != c; ++at) at += text_[at] == '\\';
  }
  return commas + !is_behind_comma;
}

ValueError ValueReader::expected(std::string what) const {
  std::string message = "expected " + std::move(what);
  message += at_ < text_.size() ? " before " + shown(text_.substr(at_)) : " at the end";
  return wrong(std::move(message));
}

ValueError ValueReader::wrong(std::string message) const {
  return {at_, std::move(message), "the type is " + type_text(shape_.codes)};
}

ValueError ValueReader::no_alternative(std::string_view name) const {
  const std::string type = shape_.text_of(node_);
  std::string names;
  for (u32 k = 0; k < node().count; ++k) {
    names += k == 0 ? " has " : k + 1 == node().count ? " and " : ", ";
    names += shape_.constructors[node().first_constructor + k].name;
  }
  if (name.empty()) return {at_, "expected an alternative of " + type, type + names};
  return {at_, "there is no alternative " + shown(name) + " of " + type, type + names};
}

ValueError ValueReader::wrong_count(u32 node, size_t at, u64 found) const {
  const ShapeNode& of = shape_.nodes[node];
  const std::string type = shape_.text_of(node);
  const std::string_view noun = shape_.is_bytes(node) ? "byte" : "element";
  std::string message = type + (of.code == kArrayCode ? " has " : " holds at most ") +
                        counted(of.count, noun) + ", found " + grouped(found);
  return {at, std::move(message), "the type is " + type_text(shape_.codes)};
}

}  // namespace komuz::engine
