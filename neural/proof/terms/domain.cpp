// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/terms/domain.h"

#include "lang/layout.h"
#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/pure_terms.h"

namespace komuz::neural {
namespace {

using Block = std::span<const Term>;

struct TypedBlock {
  Scalar scalar;
  Block cells;
};

// Says what holds of the values of types. It calls itself for what lies in arrays, lists and sums, which nest kMaxTypeDepth deep at
// most (lang/layout.h).
class ValueTerms {
 public:
  ValueTerms(Terms& terms, std::string_view codes) : terms_(terms), codes_(codes) {}

  // Of the types [at, end) with these blocks, one behind the other.
  Term hold(size_t at, size_t end, std::span<const TypedBlock> blocks) {
    Term all = terms_.truth(true);
    size_t next = 0;
    while (at < end) {
      const TypeHead head = read_type_head(codes_, at);
      if (head.code <= kRecordCode) {
        if (head.is_scalar()) ++next;
        at = head.end;
        continue;
      }
      const size_t behind = skip_type(codes_, at);
      const size_t count = block_count(at, behind);
      all = terms_.both(all, constructed(head, behind, blocks.subspan(next, count)));
      next += count;
      at = behind;
    }
    return all;
  }

 private:
  template <class Visit>
  void each_block(size_t at, size_t end, Visit visit) const {
    for_each_block(codes_.substr(at, end - at), visit);
  }
  [[nodiscard]] size_t block_count(size_t at, size_t end) const {
    size_t count = 0;
    each_block(at, end, [&](LayoutBlock) { ++count; });
    return count;
  }
  [[nodiscard]] Term is_number(Term cell, u64 value) {
    return terms_.equal(cell, terms_.constant(terms_.row(cell).width, value));
  }
  [[nodiscard]] Term less(Term cell, u64 bound) {
    return terms_.make(TermOp::LessUnsigned, 1, cell,
                       terms_.constant(terms_.row(cell).width, bound));
  }
  [[nodiscard]] Term are_zero(std::span<const TypedBlock> blocks) {
    Term all = terms_.truth(true);
    for (const TypedBlock& block : blocks)
      for (const Term cell : block.cells) all = terms_.both(all, is_number(cell, 0));
    return all;
  }

  Term constructed(const TypeHead& head, size_t end, std::span<const TypedBlock> blocks) {
    switch (head.code) {
      case kArrayCode: return elements(head.end, end, head.count, blocks, kNoTerm);
      case kListCode: {
        const Term length = blocks[0].cells[0];
        const Term all = elements(head.end, end, head.count, blocks.subspan(1), length);
        return terms_.both(less(length, u64{head.count} + 1), all);
      }
      case kOptionCode: {
        const Term tag = blocks[0].cells[0];
        const Term some = alternative(head.end, end, blocks.subspan(1), is_number(tag, 1));
        const Term none = terms_.either(terms_.no(is_number(tag, 0)), are_zero(blocks.subspan(1)));
        return terms_.both(less(tag, 2), terms_.both(some, none));
      }
      default: return alternatives(head, blocks);
    }
  }

  // Of an array or, with a length, of a list.
  Term elements(size_t at, size_t end, u32 count, std::span<const TypedBlock> blocks, Term length) {
    Term all = terms_.truth(true);
    for (u32 i = 0; i < count; ++i) {
      std::vector<TypedBlock> element;
      for (const TypedBlock& block : blocks) {
        const size_t cells = block.cells.size() / count;
        element.push_back({block.scalar, block.cells.subspan(i * cells, cells)});
      }
      all = terms_.both(all, hold(at, end, element));
      if (length == kNoTerm) continue;
      const Term is_there = terms_.make(TermOp::LessUnsigned, 1, terms_.constant(64, i), length);
      all = terms_.both(all, terms_.either(is_there, are_zero(element)));
    }
    return all;
  }

  Term alternatives(TypeHead head, std::span<const TypedBlock> blocks) {
    const Term tag = blocks[0].cells[0];
    Term all = less(tag, head.count);
    (void)take_type_name(codes_, head.names);
    size_t at = head.end;
    for (u32 number = 0; number < head.count; ++number) {
      (void)take_type_name(codes_, head.names);
      const u64 fields = take_field_count(codes_, head.names);
      const size_t begin = at;
      for (u64 field = 0; field < fields; ++field) {
        (void)take_type_name(codes_, head.names);
        at = skip_type(codes_, at);
      }
      all = terms_.both(all, alternative(begin, at, blocks.subspan(1), is_number(tag, number)));
    }
    return all;
  }

  // Of the fields [at, end), where `when`: each block of theirs lies in that of its scalar, and the rest is zero.
  Term alternative(size_t at, size_t end, std::span<const TypedBlock> blocks, Term when) {
    std::vector<TypedBlock> rest(blocks.begin(), blocks.end()), fields;
    each_block(at, end, [&](LayoutBlock wanted) {
      for (TypedBlock& block : rest) {
        if (block.scalar != wanted.scalar) continue;
        fields.push_back({block.scalar, block.cells.first(wanted.cells)});
        block.cells = block.cells.subspan(wanted.cells);
        break;
      }
    });
    const Term all = terms_.both(hold(at, end, fields), are_zero(rest));
    return terms_.either(terms_.no(when), all);
  }

  Terms& terms_;
  std::string_view codes_;
};

}  // namespace

std::vector<Term> argument_variables(Terms& terms, const CodeView& code, const Function& function) {
  std::vector<Term> made;
  for (u32 k = 0; k < function.parameter_slots; ++k) {
    const auto type = static_cast<Scalar>(code.slot_types[function.slots_begin + k]);
    made.push_back(terms.variable(cell_bits(type), is_float(type)));
  }
  return made;
}

Term are_cells(Terms& terms, std::span<const Term> arguments) {
  Term all = terms.truth(true);
  for (const Term t : arguments) {
    const TermRow row = terms.row(t);
    if (!row.is_canonical || row.op != TermOp::Variable) continue;
    const u64 infinity = row.width == 64 ? 0x7FF0'0000'0000'0000u : 0x7F80'0000u;
    const Term size =
        terms.make(TermOp::And, row.width, t, terms.constant(row.width, low_bits(row.width) >> 1));
    const Term number =
        terms.no(terms.make(TermOp::LessUnsigned, 1, terms.constant(row.width, infinity), size));
    const Term nan = terms.constant(row.width, row.width == 64 ? kCanonicalNan64 : kCanonicalNan32);
    all = terms.both(all, terms.either(number, terms.equal(t, nan)));
  }
  return all;
}

Term are_values(Terms& terms, std::string_view types, std::span<const Term> cells) {
  std::vector<TypedBlock> blocks;
  size_t next = 0;
  for_each_block(types, [&](LayoutBlock block) {
    blocks.push_back({block.scalar, cells.subspan(next, block.cells)});
    next += block.cells;
  });
  return terms.both(are_cells(terms, cells),
                    ValueTerms(terms, types).hold(0, types.size(), blocks));
}

}  // namespace komuz::neural
