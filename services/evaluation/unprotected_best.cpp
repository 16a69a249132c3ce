// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/unprotected_best.h"

#include "services/evaluation/best_texts.h"
#include "services/simplify/unprotect.h"

namespace komuz::services {

Result<std::string> unprotected_best(const std::string& program, const UnprotectOptions& options,
                                     Note& note) {
  const auto with_library = [&](const Library* library) {
    return unprotect(program, {.entry = options.entry,
                               .tables = options.tables,
                               .library = library,
                               .fuel = options.fuel,
                               .stop = options.stop});
  };
  Result<Unprotected> made = options.library != nullptr
                                 ? with_library(options.library)
                                 : with_standard_modules(program, with_library);
  if (made.problem()) return std::move(made).problem();
  note.message = unprotected_text(made.value());
  return std::move(made).value().text;
}

}  // namespace komuz::services
