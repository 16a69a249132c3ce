// SPDX-License-Identifier: Apache-2.0
#include "services/options/table_options.h"

#include <string>

namespace komuz::services {

Problem read_table_form(const Args& args, std::string_view table, engine::TableForm& out) {
  for (const engine::FormOption& option : engine::kFormOptions) {
    if (!args.has(option.name)) continue;
    if (!args.value(table))
      return input_problem("`--" + std::string(option.name) + "` says how cases are read: add `--" +
                           std::string(table) + " FILE`");
    // A flag has no values.
    if (option.value.empty()) {
      if (Problem wrong = engine::read_form_option(option.name, {}, out)) return wrong;
      continue;
    }
    for (const std::string_view value : args.values(option.name))
      if (Problem wrong = engine::read_form_option(option.name, value, out)) return wrong;
  }
  return {};
}

}  // namespace komuz::services
