// SPDX-License-Identifier: Apache-2.0
// Which nodes stand for values.
#pragma once
#include "frontend_gpu/view.h"

namespace komuz::services {

// True if the node has a value whose type a program could write there.
[[nodiscard]] inline bool is_value_node(const frontend::Columns& c, frontend::Index node) {
  const frontend::NameRole role = frontend::name_role(frontend::node_context(c, node));
  return role == frontend::NameRole::Value || role == frontend::NameRole::Base;
}

}  // namespace komuz::services
