// SPDX-License-Identifier: Apache-2.0
// A session as editors that are attached to it see it: what it has defined, and its cases. Data alone, which nobody changes once it is
// there; whoever has the session gives out another one where something has changed.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cases/table_form.h"
#include "engine/results/results.h"
#include "services/session/definitions.h"

namespace komuz::services {

struct LiveSession {
  std::string
      name;  // of a file that shows its definitions, unlike that of other sessions of this machine
  Definitions definitions;
  // Those that lines are ranked on.
  struct Cases {
    std::string file;  // as the session names it, from the folder that the process runs in
    std::shared_ptr<const std::string> bytes;
    std::string output;  // the column of what is expected
    engine::TableForm form;
    std::vector<std::string> inputs;  // as engine::CaseFields has them
    engine::ScoreKind score = engine::ScoreKind::Exact;
    f64 tolerance = 0;
    std::optional<f64> measure;
    u32 top = 10;
    bool operator==(const Cases&) const = default;
  };
  bool takes_input = false;    // editors may define something in it
  std::optional<Cases> cases;  // none: the session has no cases, or they are for a harness
};
using LiveRef = std::shared_ptr<const LiveSession>;  // null: there is no session

}  // namespace komuz::services
