// SPDX-License-Identifier: Apache-2.0
// Types as text. lang/text/text_signature.h reads the text back.
#include <vector>

#include "lang/type_codes.h"

namespace komuz {
namespace {

class TypePrinter {
 public:
  TypePrinter(std::string_view codes, RecordText records) : codes_(codes), records_(records) {}

  std::string print() {
    for (size_t at = 0; at < codes_.size();) {
      const size_t begin = at;
      const TypeHead head = read_type_head(codes_, at);
      at = head.end;
      if (head.is_scalar()) {
        text_ += scalar_name(head.scalar());
      } else if (head.names != 0 && records_ == RecordText::Name) {
        size_t names = head.names;
        text_ += take_type_name(codes_, names);
        at = skip_type(codes_, begin);
      } else if (is_bytes(head)) {
        text_ += "Bytes[" + std::to_string(head.count) + "]";
        at = head.end + 1;
      } else if (open(head)) {
        continue;
      }
      close();
    }
    return std::move(text_);
  }

 private:
  struct Open {
    u8 code;
    u32 left;          // elements, or fields of the alternative, still to come
    u32 count;         // for an array or list: elements; for a tuple: whether it has one element
    u32 alternatives;  // for a sum: still to come
    size_t names;      // for a record or sum: the next name
  };

  [[nodiscard]] bool is_bytes(const TypeHead& head) const {
    return head.code == kListCode && codes_[head.end] == static_cast<char>(Scalar::U8);
  }

  // True if an element comes next.
  bool open(TypeHead head) {
    if (head.names != 0) text_ += take_type_name(codes_, head.names);
    open_.push_back({head.code, head.elements, head.count, 0, head.names});
    Open& of = open_.back();
    switch (head.code) {
      case kTupleCode:
        of.count = head.elements;
        text_ += '(';
        break;
      case kRecordCode:
        text_ += '(';
        if (of.left != 0) name_field(of);
        break;
      case kSumCode:
        of.alternatives = head.count;
        text_ += '(';
        return next_alternative(of);
      case kOptionCode: text_ += "Option["; break;
      case kListCode: text_ += "List["; break;
      case kArrayCode:
      case kSliceCode: text_ += '['; break;
    }
    return of.left != 0;
  }
  void name_field(Open& of) { (text_ += take_type_name(codes_, of.names)) += ": "; }
  // Goes on to the next field. False: there is none.
  bool next_alternative(Open& of) {
    while (of.alternatives != 0) {
      --of.alternatives;
      text_ += take_type_name(codes_, of.names);
      of.left = take_field_count(codes_, of.names);
      if (of.left != 0) {
        text_ += '(';
        name_field(of);
        return true;
      }
      if (of.alternatives != 0) text_ += " | ";
    }
    return false;
  }

  // A complete type is an element of the open one around it, which may now be complete, too.
  void close() {
    for (; !open_.empty(); open_.pop_back()) {
      Open& of = open_.back();
      const bool in_element = of.left != 0;
      if (in_element && --of.left != 0) {
        text_ += ", ";
        if (of.names != 0) name_field(of);
        return;
      }
      switch (of.code) {
        case kTupleCode: text_ += of.count == 1 ? ",)" : ")"; break;
        case kRecordCode: text_ += ')'; break;
        case kSumCode:
          if (in_element) text_ += ')';
          if (of.alternatives != 0) {
            text_ += " | ";
            if (next_alternative(of)) return;
          }
          text_ += ')';
          break;
        case kOptionCode:
        case kSliceCode: text_ += ']'; break;
        case kArrayCode: text_ += "; " + std::to_string(of.count) + "]"; break;
        case kListCode: text_ += ", " + std::to_string(of.count) + "]"; break;
      }
    }
  }

  std::string_view codes_;
  RecordText records_;
  std::string text_;
  std::vector<Open> open_;
};

}  // namespace

void append_type_name(std::string& codes, std::string_view name) {
  codes += static_cast<char>(name.size());
  codes += name;
}

std::string type_text(std::string_view codes, RecordText records) {
  if (skip_type(codes, 0) != codes.size()) return "?";
  return TypePrinter(codes, records).print();
}

std::string cell_type_text(Scalar type) {
  return (is_reference(type) ? "&" : "") + std::string(scalar_name(referred(type)));
}

}  // namespace komuz
