// SPDX-License-Identifier: Apache-2.0
// The columns of a table as parameters take them. A column is read once for each type, however many signatures take
// it. Not part of the engine's door.
#pragma once
#include <map>
#include <optional>
#include <stop_token>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "engine/cases/indicators.h"
#include "engine/cases/suite.h"
#include "engine/values/case_cells.h"

namespace komuz::engine {

inline constexpr size_t kTupleHead = 2;  // of a type's code: kTupleCode and the number of elements

// A column read as one type: a column of memory for each cell of the type.
struct TypedColumn {
  std::string case_type;      // what the cases hold: slices as lists
  std::vector<Scalar> types;  // one a cell
  CellBlock block;            // null: an error, too large, or stopped
  std::shared_ptr<const std::byte> zeros;
  std::vector<const std::byte*> columns;  // one a cell, of the block or the zeros
  size_t bytes = 0;                       // of the whole column
  u64 room = 0;                           // cells that the cases have room for, used or not
  // The first row that holds no value of the type, and why.
  u32 row = 0;
  std::optional<ValueError> error;
};

class TypedColumns {
 public:
  // The table outlives this object, and its columns stay.
  explicit TypedColumns(const CasesTable& table);

  struct Limits {
    // Most cells of a column: reading takes time for each, used or not.
    u64 room = ~u64{0};
    std::stop_token stop = {};  // after a stop the error is stopped()
  };
  // The column of each parameter: the one with its name, or an indicator, where the parameter is an f64. If fields were named as inputs and none of them has a
  // parameter's name, parameters take these fields in order. Arguments without names are taken in order, too.
  struct Sources {
    bool by_name = false;  // parameters take columns by name
    std::vector<size_t> columns;
    std::vector<std::optional<Indicator>> indicators;  // one a parameter; in order there are none
  };
  // Several threads may call it at once, also while one takes columns.
  Problem match(const Signature& signature, Sources& out) const;
  Problem take(const Signature& signature, const Sources& sources, const Limits& limits,
               CaseArguments& out);
  Problem take(const Signature& signature, const Limits& limits, CaseArguments& out);
  // True if one of them is the name of a column, so that names count.
  [[nodiscard]] bool names_column(std::span<const std::string> names) const;
  [[nodiscard]] const std::shared_ptr<const std::byte>& zeros();
  // True for the same columns in the same order.
  [[nodiscard]] static bool are_same(const CaseArguments& a, const CaseArguments& b);
  // The room of the largest column of these arguments.
  [[nodiscard]] static u64 room_of(const CaseArguments& arguments);
  // Bytes of all columns that are kept.
  [[nodiscard]] size_t bytes() const { return bytes_; }
  // Drops the columns that nobody else holds.
  void forget_unused();
  [[nodiscard]] const CasesTable& table() const { return table_; }

 private:
  Problem misfit(const Signature& signature, std::string message, std::string remedy) const;
  Problem match_in_order(const Signature& signature, std::vector<size_t>& out) const;
  Problem unknown_name(const Signature& signature, const std::string& name) const;
  // `indicator`: null: the column itself.
  [[nodiscard]] std::shared_ptr<const TypedColumn> find(size_t column, const Indicator* indicator,
                                                        std::string_view type,
                                                        const Limits& limits);
  [[nodiscard]] std::shared_ptr<const TypedColumn> read(size_t column, const Indicator* indicator,
                                                        std::string_view type,
                                                        const Limits& limits);
  // False: the cells have to be read as texts.
  [[nodiscard]] bool take_given(size_t column, std::string_view type, const Limits& limits,
                                TypedColumn& out);
  void add_indicator(const Indicator& indicator, const Limits& limits, CaseCells& cells,
                     TypedColumn& out) const;

  const CasesTable& table_;
  std::unordered_map<std::string_view, size_t> by_names_;  // columns
  // By the column, the name of the indicator or nothing, and the type.
  using Key = std::tuple<size_t, std::string, std::string>;
  std::map<Key, std::shared_ptr<const TypedColumn>> columns_;
  std::shared_ptr<const std::byte> zeros_;
  size_t bytes_ = 0;
};

}  // namespace komuz::engine
