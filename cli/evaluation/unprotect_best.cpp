// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/unprotect_best.h"

#include "services/evaluation/best_texts.h"
#include "services/simplify/unprotect.h"

namespace komuz::cli {

Result<std::string> unprotected_best(const std::string& program, const UnprotectOptions& options,
                                     services::Note& note) {
  const auto unprotect = [&](const Library* library) {
    return services::unprotect(program, {.entry = options.entry,
                                         .tables = options.tables,
                                         .library = library,
                                         .fuel = options.fuel,
                                         .stop = options.stop});
  };
  Result<services::Unprotected> made = options.library != nullptr
                                           ? unprotect(options.library)
                                           : services::with_standard_modules(program, unprotect);
  if (made.problem()) return std::move(made).problem();
  note.message = services::unprotected_text(made.value());
  return std::move(made).value().text;
}

}  // namespace komuz::cli
