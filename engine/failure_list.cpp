// SPDX-License-Identifier: Apache-2.0
// Packed: the case, the kind of the trap; of a trap its place, the function, the file and the assertion, each behind its length; then the cells.
#include "engine/failure_list.h"

#include <cstring>

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
  [[nodiscard]] bool is_empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace

void Failure::clear() {
  case_index = line = column = depth = 0;
  trap = komuz::Trap::None;
  actual.clear();
  for (std::string* const text : {&function, &file, &assertion}) text->clear();
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
  for (const u64 cell : failure.actual) put(bytes_, cell);
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
  while (!packed.is_empty()) packed.take(failure.actual.emplace_back());
  return failure;
}

}  // namespace komuz::engine
