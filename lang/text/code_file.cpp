// SPDX-License-Identifier: Apache-2.0
// A file is a header, then eight sections without gaps, each padded with zeros to 8 bytes. All numbers are
// little-endian. The hash covers every byte but its own, so a reader that has compared it need only distrust the
// writer.
#include "lang/text/code_file.h"

#include <algorithm>
#include <array>

#include "base/counts.h"
#include "lang/check/check_code.h"

namespace komuz {
namespace {

// Like PNG's (RFC 2083, 12.11): a byte beyond ASCII, a name, and line ends that a careless transfer would change.
constexpr std::array<u8, 8> kMagic = {0x89, 'K', 'B', 'C', '\r', '\n', 0x1A, '\n'};
constexpr u64 kVersionAt = 8, kSectionsAt = 12, kHashAt = 16, kCountsAt = 32;

// The sections in the order of the file, with the bytes of a row.
struct Section {
  std::string_view name;
  u32 row_bytes;
};
enum SectionId : u32 {
  Instructions,
  Places,
  Constants,
  Functions,
  Types,
  SlotTypes,
  ParameterNames,
  Names
};
constexpr Section kSections[] = {{"instructions", 8},    {"places", 4}, {"constants", 8},
                                 {"functions", 48},      {"types", 1},  {"slot types", 1},
                                 {"parameter names", 8}, {"names", 1}};
constexpr u32 kSectionCount = std::size(kSections);
constexpr u64 kHeaderBytes = kCountsAt + 8 * kSectionCount;
constexpr u64 kMaxRows = 0x7FFF'FFFF;

constexpr u64 padded(u64 bytes) { return (bytes + 7) & ~u64{7}; }

class Writer {
 public:
  explicit Writer(std::vector<u8>& out) : out_(out) {}

  template <class Int>
  void put(Int value) {
    for (size_t byte = 0; byte < sizeof(Int); ++byte)
      out_.push_back(static_cast<u8>(static_cast<u64>(value) >> (8 * byte)));
  }
  void put_bytes(std::span<const u8> bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
  // `start`: the beginning of the file in `out`.
  void pad(size_t start) { out_.resize(start + padded(out_.size() - start)); }

 private:
  std::vector<u8>& out_;
};

// Takes rows from bytes whose number has been checked.
class Reader {
 public:
  Reader(std::span<const u8> file, u64 at) : file_(file), at_(at) {}

  template <class Int>
  Int take() {
    u64 value = 0;
    for (size_t byte = 0; byte < sizeof(Int); ++byte) value |= u64{file_[at_++]} << (8 * byte);
    return static_cast<Int>(value);
  }
  [[nodiscard]] std::span<const u8> take_bytes(u64 count) {
    at_ += count;
    return file_.subspan(at_ - count, count);
  }
  [[nodiscard]] u64 at() const { return at_; }

 private:
  std::span<const u8> file_;
  u64 at_;
};

// Over all words of a file except those of its hash.
Hash128 file_hash(std::span<const u8> file) {
  Hash128 hash;
  Reader words(file, 0);
  while (words.at() < file.size()) {
    const u64 at = words.at();
    const u64 word = words.take<u64>();
    if (at < kHashAt || at >= kCountsAt) hash.add(word);
  }
  // Two more rounds, so that the last words of the file reach both halves.
  hash.add(file.size());
  hash.add(hash.high);
  return hash;
}

// The fields that the checker sets are not in the file.
void put_function(Writer& w, const Function& f) {
  for (u32 field : {f.name_begin, f.name_end, f.code_begin, f.code_end, f.types_begin,
                    f.slots_begin, f.parameters_begin, f.place})
    w.put(field);
  for (u16 field : {f.parameter_slots, f.result_cells, f.slots, f.rec, f.owner}) w.put(field);
  w.put(static_cast<u8>(f.kind));
  w.put(static_cast<u8>(f.expected_trap));
  w.put(static_cast<u8>(f.is_public));
  w.put_bytes(std::array<u8, 3>{});
}

// Returns the fault of the row; empty if there is none.
std::string take_function(Reader& r, Function& f) {
  for (u32* field : {&f.name_begin, &f.name_end, &f.code_begin, &f.code_end, &f.types_begin,
                     &f.slots_begin, &f.parameters_begin, &f.place})
    *field = r.take<u32>();
  for (u16* field : {&f.parameter_slots, &f.result_cells, &f.slots, &f.rec, &f.owner})
    *field = r.take<u16>();
  f.kind = static_cast<FunctionKind>(r.take<u8>());
  f.expected_trap = static_cast<Trap>(r.take<u8>());
  const u8 is_public = r.take<u8>();
  f.is_public = is_public != 0;
  bool reserved = false;
  for (u8 byte : r.take_bytes(3)) reserved |= byte != 0;
  if (is_public > 1) return "the mark of a public function is neither 0 nor 1";
  return reserved ? "the reserved bytes of a function are not zero" : "";
}

using Counts = std::array<u64, kSectionCount>;

CodeFileError read_header(std::span<const u8> file, Counts& counts) {
  for (size_t at = 0; at < kMagic.size(); ++at)
    if (at >= file.size() || file[at] != kMagic[at]) return {at, "this is no bytecode file"};
  if (file.size() < kHeaderBytes)
    return {file.size(), "the file ends inside its header of " + counted(kHeaderBytes, "byte")};
  Reader header(file, kVersionAt);
  const u32 version = header.take<u32>();
  if (version != kCodeFileVersion)
    return {kVersionAt, "the file has format version " + std::to_string(version) +
                            ", this program reads version " + std::to_string(kCodeFileVersion)};
  const u32 sections = header.take<u32>();
  if (sections != kSectionCount)
    return {kSectionsAt, "the file has " + counted(sections, "section") + ", not " +
                             std::to_string(kSectionCount)};
  Reader table(file, kCountsAt);
  u64 end = kHeaderBytes;
  for (u32 s = 0; s < kSectionCount; ++s) {
    const u64 at = table.at();
    counts[s] = table.take<u64>();
    if (counts[s] > kMaxRows)
      return {at, "the section of " + std::string(kSections[s].name) + " has " +
                      counted(counts[s], "row") + ", more than " + grouped(kMaxRows)};
    end += padded(counts[s] * kSections[s].row_bytes);
    if (end > file.size())
      return {file.size(), "the file ends inside the section of " + std::string(kSections[s].name) +
                               ", which ends at " + std::to_string(end)};
  }
  if (end < file.size()) return {end, "the file goes on behind its last section"};
  Reader stored(file, kHashAt);
  Hash128 hash;
  hash.low = stored.take<u64>();
  hash.high = stored.take<u64>();
  if (hash != file_hash(file))
    return {kHashAt, "the file's content does not have the hash that its header states"};
  return {};
}

// The padding behind a section.
CodeFileError read_padding(Reader& r) {
  while (r.at() % 8 != 0) {
    const u64 at = r.at();
    if (r.take<u8>() != 0) return {at, "the padding behind a section is not zero"};
  }
  return {};
}

CodeFileError read_sections(std::span<const u8> file, const Counts& counts, Code& out) {
  Reader r(file, kHeaderBytes);
  for (u64 row = 0; row < counts[Instructions]; ++row) {
    Instruction i;
    i.op = static_cast<Op>(r.take<u8>());
    i.type = static_cast<Scalar>(r.take<u8>());
    i.a = r.take<u16>();
    i.b = r.take<u32>();
    out.instructions.push_back(i);
  }
  for (u64 row = 0; row < counts[Places]; ++row) out.places.push_back(r.take<u32>());
  if (CodeFileError error = read_padding(r)) return error;
  for (u64 row = 0; row < counts[Constants]; ++row) out.constants.push_back(r.take<u64>());
  for (u64 row = 0; row < counts[Functions]; ++row) {
    const u64 at = r.at();
    Function f;
    if (std::string reason = take_function(r, f); !reason.empty()) return {at, std::move(reason)};
    out.functions.push_back(f);
  }
  const std::span<const u8> types = r.take_bytes(counts[Types]);
  out.types.assign(types.begin(), types.end());
  if (CodeFileError error = read_padding(r)) return error;
  const std::span<const u8> slot_types = r.take_bytes(counts[SlotTypes]);
  out.slot_types.assign(slot_types.begin(), slot_types.end());
  if (CodeFileError error = read_padding(r)) return error;
  for (u64 row = 0; row < counts[ParameterNames]; ++row) {
    const u32 begin = r.take<u32>();
    out.parameter_names.push_back({begin, r.take<u32>()});
  }
  const std::span<const u8> names = r.take_bytes(counts[Names]);
  out.names.assign(names.begin(), names.end());
  return read_padding(r);
}

// The byte of the file that an error of the checker refers to.
u64 offset_of(const CodeError& error, const Counts& counts) {
  if (error.instruction < counts[Instructions])
    return kHeaderBytes + u64{error.instruction} * kSections[Instructions].row_bytes;
  u64 functions_at = kHeaderBytes;
  for (u32 s : {Instructions, Places, Constants})
    functions_at += padded(counts[s] * kSections[s].row_bytes);
  if (error.function < counts[Functions])
    return functions_at + u64{error.function} * kSections[Functions].row_bytes;
  return kCountsAt;
}

}  // namespace

void write_code_file(const CodeView& code, std::vector<u8>& out) {
  const size_t start = out.size();
  Writer w(out);
  w.put_bytes(kMagic);
  w.put(kCodeFileVersion);
  w.put(kSectionCount);
  w.put(u64{0});  // the hash, known at the end
  w.put(u64{0});
  const Counts counts = {code.instructions.size(),    code.places.size(), code.constants.size(),
                         code.functions.size(),       code.types.size(),  code.slot_types.size(),
                         code.parameter_names.size(), code.names.size()};
  for (u64 count : counts) w.put(count);
  for (Instruction i : code.instructions) {
    w.put(static_cast<u8>(i.op));
    w.put(static_cast<u8>(i.type));
    w.put(i.a);
    w.put(i.b);
  }
  for (u32 place : code.places) w.put(place);
  w.pad(start);
  for (u64 constant : code.constants) w.put(constant);
  for (const Function& f : code.functions) put_function(w, f);
  w.put_bytes(code.types);
  w.pad(start);
  w.put_bytes(code.slot_types);
  w.pad(start);
  for (NameRange name : code.parameter_names) {
    w.put(name.begin);
    w.put(name.end);
  }
  for (char c : code.names) w.put(static_cast<u8>(c));
  w.pad(start);

  const Hash128 hash = file_hash(std::span(out).subspan(start));
  std::vector<u8> words;
  Writer hash_words(words);
  hash_words.put(hash.low);
  hash_words.put(hash.high);
  std::copy(words.begin(), words.end(), out.begin() + static_cast<std::ptrdiff_t>(start + kHashAt));
}

CodeFileError read_code_file(std::span<const u8> file, Code& out, u32 stack_limit) {
  out.clear();
  Counts counts = {};
  if (CodeFileError error = read_header(file, counts)) return error;
  if (CodeFileError error = read_sections(file, counts, out)) {
    out.clear();
    return error;
  }
  if (const CodeError error = check_code(out.view(), out.functions, stack_limit)) {
    out.clear();
    return {offset_of(error, counts), error.reason};
  }
  return {};
}

Hash128 code_hash(const CodeView& code) {
  std::vector<u8> file;
  write_code_file(code, file);
  return file_hash(file);
}

}  // namespace komuz
