// SPDX-License-Identifier: Apache-2.0
// Values of all types as text and back: a type and a text are walked together, without recursion.
#include <algorithm>

#include "engine/input_error.h"
#include "engine/value_text.h"

namespace komuz::engine {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

using Problem = std::optional<ValueError>;

class ValueReader {
 public:
  ValueReader(std::string_view type, std::string_view text, ValueStyle style, std::span<u64> cells)
      : type_(type), text_(text), style_(style), cells_(cells) {}

  Problem read() {
    for (;;) {
      skip_blanks();
      const TypeHead head = read_type_head(type_, code_);
      if (Problem error = head.is_scalar() ? scalar(head) : open(head)) return error;
      if (!head.is_scalar() && head.elements != 0) continue;
      if (Problem error = close()) return error;
      if (open_.empty()) break;
    }
    skip_blanks();
    if (at_ != text_.size()) return expected("nothing more");
    return std::nullopt;
  }

 private:
  using Error = ValueError;

  // A field of a record that is open.
  struct Part {
    std::string_view name;
    size_t code, cell;
    bool is_given = false;
  };
  struct Open {
    size_t parts;  // from here on in parts_
    u32 count, given = 0;
    char closer;
    bool is_record;
    size_t code_end, cell_end;  // of a record, whose fields come in any order
  };

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  [[nodiscard]] bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  [[nodiscard]] bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] std::string_view word() const {
    size_t end = at_;
    while (end < text_.size() && is_name_byte(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  [[nodiscard]] Error expected(std::string what) const {
    std::string message = "expected " + std::move(what);
    message += at_ < text_.size() ? " before " + shown(text_.substr(at_)) : " at the end";
    return wrong(std::move(message));
  }
  [[nodiscard]] Error wrong(std::string message) const {
    return {at_, std::move(message), "the type is " + type_text(type_)};
  }

  Problem scalar(const TypeHead& head) {
    const size_t begin = at_;
    if (next_is('"')) {
      const size_t quote = text_.find('"', at_ + 1);
      at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
    } else if (next_is('\'') && style_ == ValueStyle::Text) {
      // A character, or `\` and one, may be a quote.
      const size_t inside = at_ + (text_.substr(at_).starts_with("'\\") ? 3 : 2);
      const size_t quote = text_.find('\'', inside);
      at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
    } else if (next_is('[') || next_is('{') || next_is('(')) {
      at_ = text_.size();  // no scalar: show all of it
    } else {
      while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != ',' &&
             text_[at_] != ']' && text_[at_] != ')' && text_[at_] != '}')
        ++at_;
    }
    Problem error =
        parse_scalar(head.scalar(), text_.substr(begin, at_ - begin), style_, cells_[cell_++]);
    if (error) error->at += begin;
    code_ = head.end;
    return error;
  }

  Problem open(const TypeHead& head) {
    const bool is_record = head.code == kRecordCode;
    size_t name = head.names;
    char closer = 0;
    if (style_ == ValueStyle::Text && is_record) {
      const std::string_view constructor = take_type_name(type_, name);
      if (word() == constructor) {
        at_ += constructor.size();
        skip_blanks();
        if (!next_is('(')) return expected("`(`");
      }
    } else if (is_record) {
      (void)take_type_name(type_, name);
    }
    if (style_ == ValueStyle::Text && take('('))
      closer = ')';
    else if (take(is_record ? '{' : '['))
      closer = is_record ? '}' : ']';
    else
      return expected(is_record ? "`{`" : "`[`");
    Open of{parts_.size(), head.elements, 0, closer, is_record, 0, 0};
    code_ = head.end;
    if (is_record) {
      of.code_end = code_;
      of.cell_end = cell_;
      for (u32 k = 0; k < head.elements; ++k) {
        const size_t end = skip_type(type_, of.code_end);
        parts_.push_back({take_type_name(type_, name), of.code_end, of.cell_end});
        of.cell_end += count_cells(type_.substr(of.code_end, end - of.code_end));
        of.code_end = end;
      }
    }
    open_.push_back(of);
    return head.elements == 0 ? std::nullopt : next_part();
  }

  // Goes on with the next element, or with the field whose name comes next.
  Problem next_part() {
    Open& of = open_.back();
    skip_blanks();
    if (of.is_record) {
      Part* part = &parts_[of.parts + of.given];
      const size_t begin = at_;
      std::string_view key;
      if (of.closer == '}') {
        const size_t quote = next_is('"') ? text_.find('"', at_ + 1) : std::string_view::npos;
        if (quote == std::string_view::npos) return expected("a field's name in quotes");
        key = text_.substr(at_ + 1, quote - at_ - 1);
        at_ = quote + 1;
        skip_blanks();
        if (!take(':')) return expected("`:`");
      } else if (key = word(); !key.empty()) {
        at_ += key.size();
        skip_blanks();
        if (!take(':')) {  // no name, but a value
          at_ = begin;
          key = {};
        }
      }
      if (!key.empty() || of.closer == '}') {
        const auto last = parts_.begin() + static_cast<std::ptrdiff_t>(of.parts + of.count);
        const auto found =
            std::find_if(last - of.count, last, [&](const Part& one) { return one.name == key; });
        if (found == last) return at_ = begin, wrong("there is no field " + shown(key));
        part = &*found;
      }
      if (part->is_given)
        return at_ = begin, wrong("the field " + shown(part->name) + " is given twice");
      part->is_given = true;
      code_ = part->code;
      cell_ = part->cell;
    }
    ++of.given;
    return std::nullopt;
  }

  // Closes what is complete; it is an element of what is open around it.
  Problem close() {
    while (!open_.empty()) {
      const Open& of = open_.back();
      skip_blanks();
      if (of.given != of.count) {
        if (take(',')) return next_part();
        if (of.is_record && next_is(of.closer))
          return wrong("the field " + missing(of) + " is missing");
        return expected("`,`");
      }
      const bool may_trail = style_ == ValueStyle::Text && of.closer == ')' && of.count != 0 &&
                             (of.is_record || of.count == 1);
      if (may_trail && take(',')) skip_blanks();
      if (!take(of.closer)) return expected(std::string("`") + of.closer + '`');
      if (of.is_record) {
        code_ = of.code_end;
        cell_ = of.cell_end;
        parts_.resize(of.parts);
      }
      open_.pop_back();
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string missing(const Open& of) const {
    for (size_t k = of.parts;; ++k)
      if (!parts_[k].is_given) return shown(parts_[k].name);
  }

  std::string_view type_, text_;
  ValueStyle style_;
  std::span<u64> cells_;
  size_t at_ = 0, code_ = 0, cell_ = 0;
  std::vector<Part> parts_;
  std::vector<Open> open_;
};

}  // namespace

std::optional<ValueError> parse_value(std::string_view type_code, std::string_view text,
                                      ValueStyle style, std::span<u64> cells) {
  return ValueReader(type_code, text, style, cells).read();
}

void print_value(std::string& out, std::string_view type_code, std::span<const u64> cells,
                 ValueStyle style) {
  struct Open {
    u32 count, left;
    char closer;
    size_t names;  // of a record: where the name of its next field starts; else 0
  };
  const bool json = style == ValueStyle::Json;
  std::vector<Open> open;
  size_t cell = 0;
  const auto name_field = [&](Open& of) {
    if (of.names == 0) return;
    const std::string_view name = take_type_name(type_code, of.names);
    if (json)
      ((out += '"') += name) += "\": ";
    else
      (out += name) += ": ";
  };
  for (size_t at = 0; at < type_code.size();) {
    TypeHead head = read_type_head(type_code, at);
    at = head.end;
    if (head.is_scalar()) {
      print_scalar(out, head.scalar(), cells[cell++], style);
    } else {
      const bool record = head.code == kRecordCode;
      if (record) {
        const std::string_view name = take_type_name(type_code, head.names);
        if (!json) out += name;
      }
      out += !json ? '(' : record ? '{' : '[';
      open.push_back({head.elements, head.elements, !json ? ')' : record ? '}' : ']', head.names});
      if (head.elements != 0) {
        name_field(open.back());
        continue;
      }
    }
    while (!open.empty()) {
      Open& of = open.back();
      if (of.left != 0 && --of.left != 0) {
        out += ", ";
        name_field(of);
        break;
      }
      if (of.count == 1 && of.names == 0 && !json) out += ',';
      out += of.closer;
      open.pop_back();
    }
  }
}

}  // namespace komuz::engine
