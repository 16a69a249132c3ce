// SPDX-License-Identifier: Apache-2.0
// The packed form of a failure: the case and the kind of the trap. For a trap, its place, and the function, the file
// and the assertion, each behind its length. Then whether the candidate has a signature of its own, and if so the
// signature's number, the count of arguments, and the number of each. Without a trap, the result follows. A value
// begins with the length that it was cut from, or 0 if it is whole. A cut value has its beginning, the place of its
// difference, and the text from there; a whole one has its cells, up to the end.
#include "engine/results/failure_list.h"

#include <cstring>

#include "base/hash.h"

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

void put_value(std::string& out, const KeptValue& value) {
  put(out, value.bytes);
  if (!value.is_cut()) {
    out += value.cells;
    return;
  }
  put_text(out, value.begin);
  put(out, value.differs_at);
  put_text(out, value.there);
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
  // Takes a value, which comes last.
  void take_value(KeptValue& out) {
    take(out.bytes);
    if (!out.is_cut()) {
      out.cells = bytes_;
      return;
    }
    take_text(out.begin);
    take(out.differs_at);
    take_text(out.there);
  }

 private:
  std::string_view bytes_;
};

}  // namespace

void Failure::clear() {
  case_index = line = column = depth = 0;
  trap = komuz::Trap::None;
  actual.clear();
  arguments.clear();
  for (std::string* const text : {&function, &file, &assertion, &signature, &argument_types})
    text->clear();
}

void FailureList::clear() {
  packed_.clear();
  if (own_.size() == 0) return;
  own_.clear();
  own_numbers_ = {};
}

u32 FailureList::number_of(std::string_view text) {
  Hash128 hash;
  add_text(hash, text);
  const auto number = static_cast<u32>(own_.size());
  // If there was no memory for the text, no entry has its number.
  const u32 found = own_numbers_.find_or_add(
      hash.low, number, [&](u32 known) { return known < number && own_[known] == text; });
  if (found == number) own_.add(text);
  return found;
}

void FailureList::put_own(const Failure& failure) {
  own_bytes_.clear();
  put_text(own_bytes_, failure.signature);
  own_bytes_ += failure.argument_types;
  put(bytes_, number_of(own_bytes_));
  put(bytes_, static_cast<u32>(failure.arguments.size()));
  for (const KeptValue& value : failure.arguments) {
    own_bytes_.clear();
    put_value(own_bytes_, value);
    put(bytes_, number_of(own_bytes_));
  }
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
  }
  put(bytes_, !failure.signature.empty());
  if (!failure.signature.empty()) put_own(failure);
  if (failure.trap == Trap::None) put_value(bytes_, failure.actual);
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
  }
  bool is_own = false;
  packed.take(is_own);
  if (is_own) {
    u32 number = 0, arguments = 0;
    packed.take(number);
    Unpacker text(own_[number]);
    text.take_text(failure.signature);
    failure.argument_types = text.rest();
    packed.take(arguments);
    failure.arguments.resize(arguments);
    for (KeptValue& value : failure.arguments) {
      packed.take(number);
      Unpacker(own_[number]).take_value(value);
    }
  }
  if (failure.trap == Trap::None) packed.take_value(failure.actual);
  return failure;
}

}  // namespace komuz::engine
