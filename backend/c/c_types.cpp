// SPDX-License-Identifier: Apache-2.0
#include "backend/c/c_types.h"

#include <algorithm>

#include "backend/c/cell_runs.h"
#include "lang/type_codes.h"

namespace komuz::backend {
namespace {

constexpr std::string_view kScalarNames[] = {
    "", "bool", "int32_t", "int64_t", "uint8_t", "uint32_t", "uint64_t", "float", "double"};
static_assert(std::size(kScalarNames) == kScalarCount);

// A type as a C object whose cells are in blocks (lang/layout.h).
struct Laid {
  std::string name, extents;
  u64 elements = 1;
  u64 bytes = 0;
  u32 alignment = 1;
  std::vector<CellBlock> blocks;
};

u64 aligned(u64 bytes, u32 alignment) { return (bytes + alignment - 1) / alignment * alignment; }

// "(f64, i64)" → "tuple_f64_i64": the part of a name that tells a type without one.
std::string words_of(std::string_view text) {
  std::string words;
  for (const char c : text) {
    if (type_heads::is_name_byte(c))
      words += c;
    else if (!words.empty() && words.back() != '_')
      words += '_';
  }
  while (!words.empty() && words.back() == '_') words.pop_back();
  return words;
}

}  // namespace

std::string CTypes::name_of(std::string_view codes, std::string_view wish, bool& is_new,
                            std::string& refusal) {
  is_new = false;
  for (const Named& named : types_)
    if (named.codes == codes) return named.name;
  is_new = true;
  const std::string wished = c_type_name(prefix_ + std::string(wish));
  std::string name = wished;
  // Types of several modules may share a name.
  for (u32 k = 2; names_.has_type(name); ++k) name = wished + "_" + std::to_string(k);
  refusal = names_.take(name, CThing::Type);
  types_.push_back({std::string(codes), name});
  return name;
}

void CTypes::define(const std::string& name, const std::string& text) {
  // What differs under one name is an error of the compiler.
  const std::string guard = "KOMUZ_TYPE_" + name + "_" + c_digest(text);
  definitions_ += "#ifndef " + guard + "\n#define " + guard + "\n" + text + "#endif\n";
}

class CTypeWriter {
 public:
  CTypeWriter(CTypes& types, std::string_view codes) : types_(types), codes_(codes) {}

  // The type at `at`, which moves behind it.
  Laid lay(size_t& at) {
    const size_t begin = at;
    TypeHead head = read_type_head(codes_, at);
    at = head.end;
    if (head.is_scalar()) return scalar(head.scalar());
    const size_t end = skip_type(codes_, begin);
    const std::string_view whole = codes_.substr(begin, end - begin);
    switch (head.code) {
      case kTupleCode:
      case kRecordCode: return members_of(head, whole, at);
      case kArrayCode: {
        const u32 before = guards_;
        Laid element = lay(at);
        return repeated(std::move(element), head.count, before);
      }
      case kListCode: return list(whole, head.count, at);
      case kOptionCode: return option(whole, at);
      case kSumCode: at = end; return alternatives(head, whole);
      default: break;
    }
    at = end;
    refusal =
        "slices belong to an array of the caller; write a function that takes a list or an array";
    return {};
  }

  std::string refusal;

 private:
  static Laid scalar(Scalar type) {
    Laid laid;
    laid.name = kScalarNames[static_cast<u8>(type)];
    laid.bytes = laid.alignment = scalar_bytes(type);
    laid.blocks = {{type, {CellPlace{}}}};
    return laid;
  }

  // `before`: the number of guards before the element.
  Laid repeated(Laid element, u32 count, u32 before) {
    Laid laid;
    laid.name = element.name;
    laid.extents = "[" + std::to_string(count) + "]" + element.extents;
    laid.elements = element.elements * count;
    laid.bytes = element.bytes * count;
    laid.alignment = element.alignment;
    // Each element has guards of its own.
    const u32 guards = guards_ - before;
    for (const CellBlock& block : element.blocks) {
      CellBlock& all = laid.blocks.emplace_back(block.scalar, std::vector<CellPlace>());
      for (u32 k = 0; k < count; ++k) {
        for (CellPlace place : block.places) {
          place.offset += static_cast<u32>(k * element.bytes);
          if (place.guard != 0) place.guard += k * guards;
          if (place.own != 0) place.own += k * guards;
          all.places.push_back(place);
        }
      }
    }
    if (count > 1) guards_ += (count - 1) * guards;
    return laid;
  }

  struct Member {
    std::string name;
    Laid laid;
    u32 offset = 0;
  };

  // A struct of the members that have bytes. Their offsets are set, and it has no blocks yet.
  Laid make_struct(std::vector<Member>& members, std::string_view whole, std::string_view wish) {
    Laid laid;
    std::string text;
    std::vector<std::string> wishes;
    for (const Member& member : members)
      if (member.laid.bytes != 0) wishes.push_back(member.name);
    const std::vector<std::string> names = c_member_names(wishes, {});
    size_t named = 0;
    for (Member& member : members) {
      if (member.laid.bytes == 0) continue;
      laid.bytes = aligned(laid.bytes, member.laid.alignment);
      member.offset = static_cast<u32>(laid.bytes);
      laid.bytes += member.laid.bytes;
      laid.alignment = std::max(laid.alignment, member.laid.alignment);
      text += "  " + member.laid.name + " " + names[named++] + member.laid.extents + ";\n";
    }
    laid.bytes = aligned(laid.bytes, laid.alignment);
    if (laid.bytes == 0) return laid;
    bool is_new = false;
    const std::string name = types_.name_of(whole, wish, is_new, refusal);
    laid.name = "struct " + name;
    if (is_new) types_.define(name, laid.name + " {\n" + text + "};\n");
    return laid;
  }

  static void move(std::vector<CellBlock>& blocks, u32 by) {
    for (CellBlock& block : blocks)
      for (CellPlace& place : block.places) place.offset += by;
  }
  // What of the blocks has no guard gets this one.
  static void guard(std::vector<CellBlock>& blocks, u32 own, u32 index) {
    for (CellBlock& block : blocks)
      for (CellPlace& place : block.places)
        if (place.guard == 0) place.guard = own, place.index = index;
  }

  std::string wish_of(std::string_view kind, std::string_view whole) const {
    return std::string(kind) + "_" + words_of(type_text(whole, RecordText::Name));
  }

  Laid members_of(TypeHead head, std::string_view whole, size_t& at) {
    std::string wish;
    if (head.code == kRecordCode)
      wish = take_type_name(codes_, head.names);
    else
      wish = wish_of("tuple", whole);
    std::vector<Member> members(head.elements);
    for (u32 k = 0; k < head.elements; ++k) {
      members[k].name = head.code == kRecordCode ? std::string(take_type_name(codes_, head.names))
                                                 : "e" + std::to_string(k);
      members[k].laid = lay(at);
    }
    Laid laid = make_struct(members, whole, wish);
    for (Member& member : members) {
      move(member.laid.blocks, member.offset);
      for (CellBlock& block : member.laid.blocks) laid.blocks.push_back(std::move(block));
    }
    return laid;
  }

  Laid list(std::string_view whole, u32 capacity, size_t& at) {
    const u32 own = ++guards_;
    Laid element = lay(at);
    const std::string wish =
        element.name == "uint8_t" && element.extents.empty()
            ? "bytes_" + std::to_string(capacity)
            : wish_of("list", whole.substr(3)) + "_" + std::to_string(capacity);
    std::vector<Member> members = {{"count", scalar(Scalar::I64)},
                                   {"items", repeated(std::move(element), capacity, own)}};
    Laid laid = make_struct(members, whole, wish);
    CellPlace count;
    count.most = capacity;
    count.own = own;
    laid.blocks = {{Scalar::I64, {count}}};
    Laid& items = members[1].laid;
    move(items.blocks, members[1].offset);
    for (CellBlock& block : items.blocks) {
      // Element i of a block of c cells lies at i · c.
      const size_t cells = block.places.size() / std::max<u32>(capacity, 1);
      for (size_t k = 0; k < block.places.size(); ++k)
        if (block.places[k].guard == 0)
          block.places[k].guard = own, block.places[k].index = static_cast<u32>(k / cells);
      laid.blocks.push_back(std::move(block));
    }
    return laid;
  }

  // The blocks of one alternative, in the order of types.def.
  static void add_by_type(Laid& laid, std::vector<CellBlock>&& blocks) {
    for (u32 s = 1; s < kScalarCount; ++s) {
      CellBlock all = {static_cast<Scalar>(s), {}};
      for (const CellBlock& block : blocks)
        if (block.scalar == all.scalar)
          all.places.insert(all.places.end(), block.places.begin(), block.places.end());
      if (!all.places.empty()) laid.blocks.push_back(std::move(all));
    }
  }

  Laid option(std::string_view whole, size_t& at) {
    const u32 own = ++guards_;
    std::vector<Member> members = {{"some", scalar(Scalar::U8)}, {"value", lay(at)}};
    Laid laid = make_struct(members, whole, wish_of("option", whole.substr(1)));
    CellPlace some;
    some.most = 1;
    some.own = own;
    laid.blocks = {{Scalar::U8, {some}}};
    move(members[1].laid.blocks, members[1].offset);
    guard(members[1].laid.blocks, own, 0);
    add_by_type(laid, std::move(members[1].laid.blocks));
    return laid;
  }

  Laid alternatives(TypeHead head, std::string_view whole) {
    const std::string wish(take_type_name(codes_, head.names));
    Laid laid = scalar(Scalar::U8);
    laid.blocks[0].places[0].most = head.count - 1;
    if (head.elements != 0) {
      refusal = "C does not get sums whose alternatives have fields, such as `" + wish +
                "`; write a function that takes and gives records";
      return laid;
    }
    bool is_new = false;
    const std::string name = types_.name_of(whole, wish, is_new, refusal);
    if (!is_new) return laid;
    std::string text;
    for (u32 k = 0; k < head.count; ++k) {
      const std::string_view alternative = take_type_name(codes_, head.names);
      static_cast<void>(take_field_count(codes_, head.names));
      const std::string constant = c_name(name + "_" + std::string(alternative));
      std::string why = types_.names_.take(constant, CThing::Alternative);
      if (refusal.empty()) refusal = std::move(why);
      text += (k == 0 ? "  " : ",\n  ") + constant + " = " + std::to_string(k);
    }
    types_.define(name, "enum " + name + " { /* in a uint8_t */\n" + text + "\n};\n");
    return laid;
  }

  CTypes& types_;
  std::string_view codes_;
  u32 guards_ = 0;
};

CType CTypes::type(std::string_view codes, std::string& refusal) {
  CTypeWriter writer(*this, codes);
  size_t at = 0;
  const Laid laid = writer.lay(at);
  refusal = writer.refusal;
  CType type;
  if (!refusal.empty()) return type;
  type.name = laid.name;
  type.extents = laid.extents;
  type.elements = laid.elements;
  type.bytes = static_cast<u32>(laid.bytes);
  type.alignment = laid.alignment;
  type.runs = runs_of(laid.blocks, type.cells);
  return type;
}

}  // namespace komuz::backend
