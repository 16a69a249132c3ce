// SPDX-License-Identifier: Apache-2.0
// The paths of modules in the `use` items of a text, found in its tokens alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/view.h"

namespace komuz::services {

struct UseLink {
  u32 begin = 0, end = 0;  // bytes of the text
  std::string path;        // `lib.packing`
  bool has_list = false;   // names in braces follow: the module itself gets no name
};
// `c`: columns that begin with the text; their tokens are enough.
[[nodiscard]] std::vector<UseLink> list_use_links(const frontend::Columns& c,
                                                  std::string_view text);

}  // namespace komuz::services
