// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/cell_columns.h"

#include <algorithm>

#include "lang/type_codes.h"

namespace komuz::cli {
namespace {

using Columns = std::vector<CellColumns>;

void append(Columns& all, Columns&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Types nest at most kMaxTypeDepth deep.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view codes) : codes_(codes) {}

  // The type at `at`, which moves behind it.
  Columns read(size_t& at, const std::string& path) {
    const TypeHead head = read_type_head(codes_, at);
    at = head.end;
    if (head.is_scalar()) return {{path, head.scalar(), 1}};
    switch (head.code) {
      case kTupleCode:
      case kRecordCode: return members(head, at, path);
      case kArrayCode: return repeated(head.count, at, path);
      case kListCode: {
        Columns list = {{path + ".len()", Scalar::I64, 1}};
        append(list, repeated(head.count, at, path));
        return list;
      }
      case kOptionCode: {
        Columns option = {{path + " (1: Some)", Scalar::U8, 1}};
        append(option, by_type(read(at, path + ".Some")));
        return option;
      }
      case kSumCode: return alternatives(head, at, path);
      default: break;
    }
    return {};
  }

 private:
  Columns members(TypeHead head, size_t& at, const std::string& path) {
    if (head.code == kRecordCode) static_cast<void>(take_type_name(codes_, head.names));
    Columns all;
    for (u32 k = 0; k < head.elements; ++k) {
      const std::string name = head.code == kRecordCode
                                   ? std::string(take_type_name(codes_, head.names))
                                   : std::to_string(k);
      append(all, read(at, path + "." + name));
    }
    return all;
  }

  // Element i of columns of c cells lies at i · c.
  Columns repeated(u32 count, size_t& at, const std::string& path) {
    Columns all = read(at, path + "[0.." + std::to_string(count) + "]");
    for (CellColumns& columns : all) columns.cells *= count;
    return all;
  }

  Columns alternatives(TypeHead head, size_t& at, const std::string& path) {
    static_cast<void>(take_type_name(codes_, head.names));
    std::vector<u64> most(kScalarCount, 0);
    std::string names;
    for (u32 k = 0; k < head.count; ++k) {
      names += (k == 0 ? " (0: " : ", " + std::to_string(k) + ": ") +
               std::string(take_type_name(codes_, head.names));
      std::vector<u64> cells(kScalarCount, 0);
      const u32 fields = take_field_count(codes_, head.names);
      for (u32 f = 0; f < fields; ++f) {
        static_cast<void>(take_type_name(codes_, head.names));
        for (const CellColumns& columns : read(at, ""))
          cells[static_cast<u8>(columns.scalar)] += columns.cells;
      }
      for (u32 s = 0; s < kScalarCount; ++s) most[s] = std::max(most[s], cells[s]);
    }
    Columns all = {{path + names + ")", Scalar::U8, 1}};
    for (u32 s = 1; s < kScalarCount; ++s)
      if (most[s] != 0) all.push_back({path + ", its fields", static_cast<Scalar>(s), most[s]});
    return all;
  }

  // The columns of one alternative: one for each type, in the order of types.def.
  static Columns by_type(Columns&& columns) {
    Columns all;
    for (u32 s = 1; s < kScalarCount; ++s) {
      CellColumns of = {{}, static_cast<Scalar>(s), 0};
      for (CellColumns& one : columns) {
        if (one.scalar != of.scalar) continue;
        of.path += (of.path.empty() ? "" : ", ") + one.path;
        of.cells += one.cells;
      }
      if (of.cells != 0) all.push_back(std::move(of));
    }
    return all;
  }

  std::string_view codes_;
};

}  // namespace

std::vector<CellColumns> cell_columns(std::string_view codes, const std::string& name) {
  size_t at = 0;
  return ColumnReader(codes).read(at, name);
}

}  // namespace komuz::cli
