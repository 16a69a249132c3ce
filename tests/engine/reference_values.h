// SPDX-License-Identifier: Apache-2.0
// Random types and values of them as text, as JSON and as cells. Each is made recursively from the definition of the
// forms and of the layout (engine/values/value_text.h, lang/layout.h), for comparison with the engine's readers and
// writers.
#pragma once
#include <bit>
#include <string>
#include <vector>

#include "base/random.h"
#include "lang/type_codes.h"

namespace komuz::engine {

struct ReferenceType {
  u8 code = 0;
  u32 count = 0;     // of an array or list
  std::string name;  // of a record or sum; that of its only constructor, too, if it is a record
  std::vector<std::string> names;  // of alternatives
  std::vector<std::vector<std::string>>
      fields;  // of each constructor; an Option has two, without names
  std::vector<std::vector<ReferenceType>>
      parts;  // of each constructor; those of the others are parts[0]

  [[nodiscard]] bool is_nested_option() const {
    return code == kOptionCode && parts[1][0].code == kOptionCode;
  }
  [[nodiscard]] std::string codes() const;
};

inline std::string ReferenceType::codes() const {
  std::string out(1, static_cast<char>(code));
  if (code == kTupleCode || code == kRecordCode) out += static_cast<char>(parts[0].size());
  if (code == kSumCode) out += static_cast<char>(parts.size());
  if (code == kArrayCode || code == kListCode) {
    out += static_cast<char>(count);
    out += static_cast<char>(count >> 8);
  }
  if (!name.empty()) append_type_name(out, name);
  const bool has_names = code == kRecordCode || code == kSumCode;
  for (size_t k = 0; k < fields.size() && has_names; ++k) {
    if (code == kSumCode) {
      append_type_name(out, names[k]);
      out += static_cast<char>(fields[k].size());
    }
    for (const std::string& field : fields[k]) append_type_name(out, field);
  }
  for (const auto& of_constructor : parts)
    for (const ReferenceType& part : of_constructor) out += part.codes();
  return out;
}

struct ReferenceBlock {
  Scalar scalar;
  std::vector<u64> cells;
};
struct ReferenceValue {
  std::string text, json;
  std::vector<ReferenceBlock> blocks;

  [[nodiscard]] std::vector<u64> cells() const {
    std::vector<u64> out;
    for (const ReferenceBlock& block : blocks)
      out.insert(out.end(), block.cells.begin(), block.cells.end());
    return out;
  }
};

class ReferenceMaker {
 public:
  explicit ReferenceMaker(u64 seed) : random_(seed) {}

  ReferenceType type(u32 depth = 4) {
    ReferenceType out;
    const u32 kind = depth == 0 ? 0 : random_.below(11);
    if (kind < 3) {
      out.code = static_cast<u8>(1 + random_.below(kScalarCount - 1));
      return out;
    }
    out.code = static_cast<u8>(kind < 9 ? kTupleCode + kind - 3 : kListCode);
    out.count = random_.below(4);
    const bool is_sum = out.code == kSumCode;
    const u32 constructors = is_sum ? 1 + random_.below(3) : 1;
    if (is_sum || out.code == kRecordCode) out.name = is_sum ? "S" : "R";
    if (out.code == kOptionCode) out.parts.emplace_back();
    for (u32 k = 0; k < constructors; ++k) {
      const u32 parts = out.code <= kSumCode ? random_.below(3) + !is_sum : 1;
      out.names.push_back(std::string(1, static_cast<char>('A' + k)));
      auto& fields = out.fields.emplace_back();
      for (u32 p = 0; p < parts; ++p) fields.push_back(std::string(1, static_cast<char>('x' + p)));
      auto& types = out.parts.emplace_back();
      for (u32 p = 0; p < parts; ++p) types.push_back(type(depth - 1));
    }
    if (kind == 10) {
      out.parts[0][0] = {};
      out.parts[0][0].code = static_cast<u8>(Scalar::U8);
    }
    return out;
  }

  // `is_zero`: the content of unused cells.
  ReferenceValue value(const ReferenceType& of, bool is_zero = false) {
    switch (of.code) {
      case kTupleCode: return tuple(of, is_zero);
      case kRecordCode: {
        ReferenceValue out = fields(of, 0, is_zero);
        out.text = of.name + "(" + out.text + ")";
        out.json = "{" + out.json + "}";
        return out;
      }
      case kSumCode:
      case kOptionCode: return sum(of, is_zero);
      case kArrayCode: return elements(of, of.count, is_zero);
      case kListCode: return list(of, is_zero);
    }
    return scalar(static_cast<Scalar>(of.code), is_zero);
  }

 private:
  ReferenceValue scalar(Scalar s, bool is_zero) {
    const u64 n = is_zero ? 0 : random_.below(s == Scalar::Bool ? 2 : 256);
    std::string text = std::to_string(n);
    u64 cell = n;
    if (s == Scalar::Bool) text = n != 0 ? "true" : "false";
    if (s == Scalar::F64) cell = std::bit_cast<u64>(static_cast<f64>(n));
    if (s == Scalar::F32) cell = std::bit_cast<u32>(static_cast<f32>(n));
    if (is_float(s)) text += ".0";
    return {text, text, {{s, {cell}}}};
  }

  static void join(std::string& text, std::string_view more) {
    if (!text.empty()) text += ", ";
    text += more;
  }
  ReferenceValue tuple(const ReferenceType& of, bool is_zero) {
    ReferenceValue out;
    for (const ReferenceType& part : of.parts[0]) {
      const ReferenceValue value_of_part = value(part, is_zero);
      join(out.text, value_of_part.text);
      join(out.json, value_of_part.json);
      out.blocks.insert(out.blocks.end(), value_of_part.blocks.begin(), value_of_part.blocks.end());
    }
    out.text = "(" + out.text + (of.parts[0].size() == 1 ? ",)" : ")");
    out.json = "[" + out.json + "]";
    return out;
  }
  ReferenceValue fields(const ReferenceType& of, size_t constructor, bool is_zero) {
    ReferenceValue out;
    for (size_t k = 0; k < of.parts[constructor].size(); ++k) {
      const ReferenceValue part = value(of.parts[constructor][k], is_zero);
      const std::string& name = of.fields[constructor][k];
      join(out.text, name + ": " + part.text);
      join(out.json, "\"" + name + "\": " + part.json);
      out.blocks.insert(out.blocks.end(), part.blocks.begin(), part.blocks.end());
    }
    return out;
  }

  ReferenceValue elements(const ReferenceType& of, u32 length, bool is_zero) {
    const ReferenceType& element = of.parts[0][0];
    ReferenceValue out;
    out.blocks = value(element, true).blocks;
    for (ReferenceBlock& block : out.blocks) block.cells.clear();
    for (u32 k = 0; k < of.count; ++k) {
      const ReferenceValue one = value(element, is_zero || k >= length);
      for (size_t b = 0; b < out.blocks.size(); ++b)
        out.blocks[b].cells.insert(out.blocks[b].cells.end(), one.blocks[b].cells.begin(),
                                   one.blocks[b].cells.end());
      if (k >= length) continue;
      join(out.text, one.text);
      join(out.json, one.json);
    }
    out.text = "[" + out.text + "]";
    out.json = "[" + out.json + "]";
    return out;
  }
  ReferenceValue list(const ReferenceType& of, bool is_zero) {
    const u32 length = is_zero ? 0 : random_.below(of.count + 1);
    ReferenceValue out = elements(of, length, is_zero);
    out.blocks.insert(out.blocks.begin(), {Scalar::I64, {length}});
    if (of.parts[0][0].code != static_cast<u8>(Scalar::U8)) return out;
    // Letters only: the escapes have tests of their own.
    out.text = "\"";
    for (u32 k = 0; k < length; ++k) {
      u64& byte = out.blocks[1].cells[k];
      byte = 'a' + byte % 26;
      out.text += static_cast<char>(byte);
    }
    out.text += '"';
    out.json = out.text;
    return out;
  }

  ReferenceValue sum(const ReferenceType& of, bool is_zero) {
    const size_t alternative = is_zero ? 0 : random_.below(static_cast<u32>(of.parts.size()));
    const bool is_option = of.code == kOptionCode;
    ReferenceValue out;
    std::vector<std::vector<u64>> cells(kScalarCount);
    std::vector<size_t> most(kScalarCount);
    for (size_t k = 0; k < of.parts.size(); ++k) {
      std::vector<size_t> needed(kScalarCount);
      for (size_t p = 0; p < of.parts[k].size(); ++p) {
        const bool is_it = k == alternative;
        const ReferenceValue part = value(of.parts[k][p], is_zero || !is_it);
        for (const ReferenceBlock& block : part.blocks) {
          const auto s = static_cast<size_t>(block.scalar);
          needed[s] += block.cells.size();
          if (is_it) cells[s].insert(cells[s].end(), block.cells.begin(), block.cells.end());
        }
        if (!is_it) continue;
        const std::string name = is_option ? "" : of.fields[k][p] + ": ";
        join(out.text, name + part.text);
        join(out.json, is_option ? part.json : "\"" + of.fields[k][p] + "\": " + part.json);
      }
      for (size_t s = 0; s < kScalarCount; ++s) most[s] = std::max(most[s], needed[s]);
    }
    out.blocks.push_back({Scalar::U8, {alternative}});
    for (size_t s = 0; s < kScalarCount; ++s) {
      if (most[s] == 0) continue;
      cells[s].resize(most[s], 0);
      out.blocks.push_back({static_cast<Scalar>(s), cells[s]});
    }
    const std::string name = is_option ? alternative == 0 ? "None" : "Some" : of.names[alternative];
    if (of.parts[alternative].empty()) {
      out.text = name;
      out.json = is_option ? "null" : "\"" + name + "\"";
      return out;
    }
    out.text = name + "(" + out.text + ")";
    if (!is_option) out.json = "{\"" + name + "\": {" + out.json + "}}";
    if (of.is_nested_option()) out.json = "{\"Some\": " + out.json + "}";
    return out;
  }

  Random random_;
};

}  // namespace komuz::engine
