// SPDX-License-Identifier: Apache-2.0
// The `use` items of a text in order: sorted by the paths of their modules, those of one module as one, names in order and once, and
// without what nothing uses. Items that stand together are sorted together: a comment or another item parts
// them, and stays where it is.
#pragma once
#include <stop_token>
#include <vector>

#include "mend/mend.h"
#include "services/analysis.h"

namespace komuz::services {

// In the order of the text; none: all is in order. A text with errors is sorted, and loses nothing. What comes of the edits has been
// compiled: it has no diagnostic that the text does not have. A stop gives none.
[[nodiscard]] std::vector<Edit> organize_uses(const Analysis& analysis,
                                              const std::stop_token& stop = {});

}  // namespace komuz::services
