// SPDX-License-Identifier: Apache-2.0
// The options that say how tables are read (engine/cases/table_form.h), for all commands that read some.
#pragma once
#include "base/problem.h"
#include "engine/cases/table_form.h"
#include "services/options/args.h"

namespace komuz::services {

consteval OptionRow form_option(size_t k) {
  const engine::FormOption& option = engine::kFormOptions[k];
  return {option.name, option.value, option.help};
}
inline constexpr OptionRow kSeparatorOption = form_option(0), kDecimalOption = form_option(1),
                           kSkipMissingOption = form_option(2), kWeightsOption = form_option(3);

// Reads them; `table`: the option that names the table, without which they have no meaning.
Problem read_table_form(const Args& args, std::string_view table, engine::TableForm& out);

}  // namespace komuz::services
