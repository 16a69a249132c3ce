// SPDX-License-Identifier: Apache-2.0
// Packed: the case, the kind of the trap; of a trap its place, the function, the file and the assertion, each behind its length, else how
// many bytes the result is cut from, 0 where it is whole; whether it has a signature of its own, and then its number and the cells of
// its arguments; then how the result begins, or its cells.
#include "engine/failure_list.h"

#include <cstring>

#include "base/characters.h"
#include "engine/packed_cells.h"
#include "engine/value_text.h"

namespace komuz::engine {
namespace {

template <class Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put_text(std::string& out, const std::string& text) {
  put(out, text.size());
  out += text;
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  void take(Number& out) {
    std::memcpy(&out, bytes_.data(), sizeof out);
    bytes_.remove_prefix(sizeof out);
  }
  void take_text(std::string& out) {
    size_t size = 0;
    take(size);
    out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace

void Failure::clear() {
  case_index = line = column = depth = 0;
  trap = komuz::Trap::None;
  actual_bytes = 0;
  arguments.clear();
  for (std::string* const text :
       {&actual, &actual_begin, &function, &file, &assertion, &signature, &argument_types})
    text->clear();
}

void Failure::keep_actual(std::string_view type, std::span<const u64> cells) {
  // The text of a scalar is short.
  if (cells.size() > 1) {
    std::string text;
    print_value(text, type, cells, ValueStyle::Json);
    if (text.size() > kMostValueBytes) {
      actual_begin = beginning_of(text);
      actual_bytes = text.size();
      return;
    }
  }
  pack_cells(cells, actual);
}

std::string_view beginning_of(std::string_view text) {
  constexpr size_t kBytes = 200;
  return text.size() <= kBytes ? text : text.substr(0, character_start(text, kBytes));
}

void FailureList::clear() {
  packed_.clear();
  own_numbers_.clear();
  own_.clear();
}

u32 FailureList::own_number(const Failure& failure) {
  std::string text;
  put_text(text, failure.signature);
  put_text(text, failure.argument_types);
  if (const auto known = own_numbers_.find(text); known != own_numbers_.end()) return known->second;
  const auto number = static_cast<u32>(own_.size());
  own_.push_back(text);
  own_numbers_.emplace(std::move(text), number);
  return number;
}

void FailureList::push_back(const Failure& failure) {
  bytes_.clear();
  put(bytes_, failure.case_index);
  put(bytes_, failure.trap);
  if (failure.trap != Trap::None) {
    for (const u32 number : {failure.line, failure.column, failure.depth}) put(bytes_, number);
    put_text(bytes_, failure.function);
    put_text(bytes_, failure.file);
    put_text(bytes_, failure.assertion);
  } else {
    put(bytes_, failure.actual_bytes);
  }
  put(bytes_, !failure.signature.empty());
  if (!failure.signature.empty()) {
    put(bytes_, own_number(failure));
    put(bytes_, static_cast<u32>(failure.arguments.size()));
    for (const Failure::Cell& cell : failure.arguments) {
      put(bytes_, cell.slot);
      put(bytes_, cell.value);
    }
  }
  if (failure.trap == Trap::None)
    bytes_ += failure.actual_bytes == 0 ? failure.actual : failure.actual_begin;
  packed_.add(bytes_);
}

Failure FailureList::operator[](u64 i) const {
  Unpacker packed(packed_[i]);
  Failure failure;
  packed.take(failure.case_index);
  packed.take(failure.trap);
  if (failure.trap != Trap::None) {
    packed.take(failure.line);
    packed.take(failure.column);
    packed.take(failure.depth);
    packed.take_text(failure.function);
    packed.take_text(failure.file);
    packed.take_text(failure.assertion);
  } else {
    packed.take(failure.actual_bytes);
  }
  bool is_own = false;
  packed.take(is_own);
  if (is_own) {
    u32 number = 0, cells = 0;
    packed.take(number);
    Unpacker text(own_[number]);
    text.take_text(failure.signature);
    text.take_text(failure.argument_types);
    packed.take(cells);
    failure.arguments.resize(cells);
    for (Failure::Cell& cell : failure.arguments) {
      packed.take(cell.slot);
      packed.take(cell.value);
    }
  }
  if (failure.trap == Trap::None)
    (failure.actual_bytes == 0 ? failure.actual : failure.actual_begin) = packed.rest();
  return failure;
}

}  // namespace komuz::engine
