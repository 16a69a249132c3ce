// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/kept_programs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "frontend_gpu/questions/neutral.h"
#include "frontend_gpu/text/literal.h"

namespace komuz::frontend {
namespace {

// The bytes of a number, behind which others may be read.
class NumberBytes {
 public:
  NumberBytes(std::string_view text, const WrittenNumber& number)
      : length_(number.end - number.begin) {
    std::memcpy(bytes_, text.data() + number.begin, length_);
  }
  [[nodiscard]] const u8* data() const { return bytes_; }
  [[nodiscard]] u32 length() const { return length_; }

 private:
  u32 length_;
  u8 bytes_[WrittenNumber::kMostBytes + 8] = {};
};

// True at least wherever a division becomes a product (NumberValue::divide_by_power in optimise/number_values.h).
bool is_power_of_two(u64 cell, Scalar type) {
  const u32 mantissa = type == Scalar::F64 ? 52 : 23;
  return (cell & ((u64{1} << mantissa) - 1)) == 0;
}

// The place may be in another file.
bool is_own(const std::vector<u32>& places) {
  return std::ranges::all_of(places, [](u32 place) { return file_of(place) == 0; });
}

}  // namespace

WrittenNumber WrittenNumber::read(std::string_view text, u32 begin) {
  const auto is_digit = [&](size_t k) {
    return k < text.size() && text[k] >= '0' && text[k] <= '9';
  };
  size_t at = begin;
  const auto skip = [&] {
    while (is_digit(at)) ++at;
  };
  WrittenNumber number{begin, begin, Node::Int};
  skip();
  if (at == begin) return number;
  if (at < text.size() && text[at] == '.' && is_digit(at + 1)) {
    number.kind = Node::Float;
    ++at;
    skip();
  }
  if (at < text.size() && (text[at] | 32) == 'e') {
    const bool has_sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    if (const size_t digits = at + 1 + has_sign; is_digit(digits)) {
      number.kind = Node::Float;
      at = digits;
      skip();
    }
  }
  if (at - begin <= kMostBytes) number.end = static_cast<u32>(at);
  return number;
}

bool KeptProgram::keep(const Columns& columns, const Compilation& out, HashSum sum, u64 work,
                       FreeNumbers& numbers) {
  if (!is_own(out.code.places)) return false;
  Columns c = columns;
  c.meter = nullptr;  // what is done here is no work on the program
  numbers.find(c);
  text_.assign(reinterpret_cast<const char*>(c.source), c.bytes);
  code_ = out.code;
  other_values_ = numbers.other_values();
  numbers_.clear();
  loads_.clear();
  for (const FreeNumber& number : numbers.all())
    if (!add(c, number, numbers)) other_values_.push_back(number.cell);
  must_differ_ = numbers.must_differ();
  if (numbers_.empty() || (must_differ_ && !values_differ())) return false;
  if (must_differ_) {
    std::ranges::sort(other_values_);
    if (std::ranges::adjacent_find(other_values_) != other_values_.end()) return false;
  }
  before_.clear();
  for (const u32 place : code_.places) before_.push_back(numbers_before(place));
  for (const Function& f : code_.functions) before_.push_back(numbers_before(f.place));
  sum_ = sum;
  tokens_ = c.tokens;
  work_ = work;
  return true;
}

// False: the number stays as it is, since it is written in an unusual form, or where it is loaded is not plain to see.
bool KeptProgram::add(const Columns& c, const FreeNumber& free, const FreeNumbers& numbers) {
  Number number;
  number.rule = free;
  number.token = c.token[free.literal];
  number.token_kind = c.token_kind[number.token];
  const u32 begin = c.token_start[number.token];
  Found& kept = number.kept;
  kept.written = WrittenNumber::read(text_, begin);
  if (kept.written.end != begin + c.token_length[number.token] ||
      kept.written.kind != node_kind(c, free.literal) || !read(text_, number, kept) ||
      kept.cell != free.cell)
    return false;
  number.found = kept;
  const size_t first = loads_.size();
  for (u32 k = 0; k < free.loads; ++k) {
    const Index loaded = numbers.loads()[free.first_load + k];
    if (!add_load(number, c.token_start[c.token[loaded]])) {
      loads_.resize(first);
      return false;
    }
  }
  numbers_.push_back(number);
  return true;
}

// Finds the instruction at that place, which must be the only one there, and alone load its constant.
bool KeptProgram::add_load(const Number& number, u32 place) {
  if (std::ranges::count(code_.places, place) != 1) return false;
  const auto at = std::ranges::find(code_.places, place) - code_.places.begin();
  const Instruction load = code_.instructions[static_cast<size_t>(at)];
  if (load.op != Op::LoadConst || load.type != number.rule.type ||
      code_.constants[load.b] != number.kept.cell)
    return false;
  loads_.push_back({load.b, static_cast<u32>(numbers_.size())});
  return 1 == std::ranges::count_if(code_.instructions, [&](const Instruction& i) {
           const u32 count = i.op == Op::LoadConst ? 1 : i.op == Op::LoadConsts ? u32{i.a} : 0;
           return load.b - i.b < count;
         });
}

u8 KeptProgram::numbers_before(u32 place) const {
  return static_cast<u8>(std::ranges::count_if(
      numbers_, [&](const Number& number) { return number.kept.written.begin < place; }));
}

bool KeptProgram::values_differ() const {
  for (size_t k = 0; k < numbers_.size(); ++k) {
    const u64 cell = numbers_[k].found.cell;
    if (std::ranges::find(other_values_, cell) != other_values_.end()) return false;
    for (size_t other = 0; other < k; ++other)
      if (numbers_[other].found.cell == cell) return false;
  }
  return true;
}

bool KeptProgram::take(std::string_view source) {
  return find_numbers(source) && (!must_differ_ || values_differ());
}

TextHash KeptProgram::identity() const {
  HashSum sum = sum_;
  for (const Number& number : numbers_) {
    sum.low += number.found.hash.low - number.kept.hash.low;
    sum.high += number.found.hash.high - number.kept.hash.high;
  }
  return {sum.low, sum.high ^ tokens_};
}

void KeptProgram::write(Compilation& out) const {
  out.clear();
  out.code = code_;
  for (const Load& load : loads_)
    out.code.constants[load.constant] = numbers_[load.number].found.cell;
  u32 moved[FreeNumbers::kMost + 1] = {};
  for (size_t k = 0; k < numbers_.size(); ++k)
    moved[k + 1] = numbers_[k].found.written.end - numbers_[k].kept.written.end;
  const u8* before = before_.data();
  for (u32& place : out.code.places) place += moved[*before++];
  for (Function& f : out.code.functions) f.place += moved[*before++];
  out.identity = identity();
  out.ok = true;
}

// Finds and reads the numbers of a text that is equal otherwise.
bool KeptProgram::find_numbers(std::string_view source) {
  const std::string_view text = text_;
  size_t from = 0, at = 0;  // in the kept text, in this one
  for (Number& number : numbers_) {
    const size_t equal = number.kept.written.begin - from;
    if (source.substr(at, equal) != text.substr(from, equal)) return false;
    Found& found = number.found;
    found.written = WrittenNumber::read(source, static_cast<u32>(at + equal));
    if (found.written.begin == found.written.end || found.written.kind != number.kept.written.kind)
      return false;
    from = number.kept.written.end;
    at = found.written.end;
  }
  if (source.substr(at) != text.substr(from)) return false;
  return std::ranges::all_of(numbers_,
                             [&](Number& number) { return read(source, number, number.found); });
}

bool KeptProgram::read(std::string_view source, const Number& number, Found& out) {
  const char* const begin = source.data() + out.written.begin;
  const u32 length = out.written.end - out.written.begin;
  if (out.length == length && std::memcmp(out.bytes, begin, length) == 0) return true;
  out.length = 0;
  const Scalar type = number.rule.type;
  const NumberBytes bytes(source, out.written);
  const Literal value =
      number_literal(out.written.kind, bytes.data(), bytes.length(), type, number.rule.is_negated);
  if (value.error != DiagnosticCode::None ||
      (neutral_bits(type, value.cell) & number.rule.neutral) != 0 ||
      (number.rule.divides && is_power_of_two(value.cell, type)))
    return false;
  std::memcpy(out.bytes, begin, length);
  out.length = length;
  out.cell = value.cell;
  const WideProduct hash = token_hash(text_key(bytes.data(), bytes.length()), number.token_kind,
                                      bytes.length(), number.token);
  out.hash = {hash.low, hash.high};
  return true;
}

const KeptProgram* KeptPrograms::take(std::string_view source, u64 shape) {
  if (rows_.empty()) return nullptr;
  for (Place& place : rows_[row_of(shape)].places)
    if (place.shape == shape && place.program != nullptr && place.program->take(source))
      return place.program.get();
  return nullptr;
}

void KeptPrograms::note(u64 shape, const Columns& c, const Compilation& out, HashSum sum,
                        u64 work) {
  if (rows_.empty()) {
    seen_.resize(kSeen);
    rows_.resize(kRows);
  }
  Seen& seen = seen_[static_cast<u32>(shape) % kSeen];
  if (seen.shape != shape) seen = {shape, 0};
  if (seen.times == kMostSeen) return;
  if (++seen.times < kFirstKept) return;
  if (spare_ == nullptr) spare_ = std::make_unique<KeptProgram>();
  if (!spare_->keep(c, out, sum, work, numbers_)) return;
  Row& row = rows_[row_of(shape)];
  Place& place = row.places[row.next];
  row.next = (row.next + 1) % kPlaces;
  place.shape = shape;
  std::swap(place.program, spare_);
}

}  // namespace komuz::frontend
