// SPDX-License-Identifier: Apache-2.0
// Writes objects of JSON, field by field, on one line. Not part of the engine's door.
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include "engine/support/json_text.h"

namespace komuz::engine {

// Writes fields of an object: the comma and the name, then what the caller appends.
class Fields {
 public:
  explicit Fields(std::string& out) : out_(out) {}
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  // Names come from the schema or from parameters, so there is nothing to escape in them.
  std::string& field(std::string_view name) {
    out_ += first_ ? std::string_view("\"") : std::string_view(", \"");
    first_ = false;
    out_ += name;
    return out_ += "\": ";
  }
  void text(std::string_view name, std::string_view value) {
    append_json_string(field(name), value);
  }
  void number(std::string_view name, u64 value) { append_json_number(field(name), value); }
  void null(std::string_view name) { field(name) += "null"; }
  // Where the next fields are appended, with commas in between.
  std::string& next() {
    out_ += first_ ? "" : ", ";
    first_ = false;
    return out_;
  }

 protected:
  std::string& out_;

 private:
  bool first_ = true;
};

// A number that may be unknown.
inline void number_if(bool known, Fields& fields, std::string_view name, u64 value) {
  if (known)
    fields.number(name, value);
  else
    fields.null(name);
}

// A whole object. Closing it may run out of memory; if something else ran out before, the object is not closed.
class Object : public Fields {
 public:
  explicit Object(std::string& out) : Fields(out += '{') {}
  ~Object() noexcept(false) {
    if (std::uncaught_exceptions() == exceptions_) out_ += '}';
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

 private:
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace komuz::engine
