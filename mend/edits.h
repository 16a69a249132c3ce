// SPDX-License-Identifier: Apache-2.0
// The edits that take more than a line, by the kind of fault. Each returns nothing if the intended text is not
// certain.
#pragma once
#include "mend/finding.h"

namespace komuz {

// In fix_words.cpp: words of other languages
[[nodiscard]] std::optional<Edit> fix_unknown_name(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_unknown_type(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_unknown_function(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_word(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_function_value(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_match_word(const Fix& fix);
// `xs.iter()` to `xs`
[[nodiscard]] std::optional<Edit> leave_out_call(const Fix& fix);

// In fix_operands.cpp: operators and their operands
[[nodiscard]] std::optional<Edit> fix_operator(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_conversion(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_comparisons(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_negated_unsigned(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_step(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_integer_power(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_in_test(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_number_suffix(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_number_before_name(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_tuple_field(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_tuple_index(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_character(const Fix& fix);

// In fix_elements.cpp: lists, lambdas and chains
[[nodiscard]] std::optional<Edit> fix_bars(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_foreign_lambda(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_lambda_place(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_counted_value(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_argument_count(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_method_arguments(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_sort(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_chain_length(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_slice_value(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_part(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_unused_order(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_comma(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_option_for_element(const Fix& fix);

// In fix_items.cpp: items, declarations and their types
[[nodiscard]] std::optional<Edit> fix_record(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_private_type(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_signature(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_foreign_function(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_type_brackets(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_type_before_name(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_stated_type(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_missing_value(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_immutable(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_reference(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_arm(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_use(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_constant_type(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_useless_bound(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_missing_bound(const Fix& fix);
[[nodiscard]] std::optional<Edit> fix_large_bound(const Fix& fix);

}  // namespace komuz
