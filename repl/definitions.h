// SPDX-License-Identifier: Apache-2.0
// The items of a session, which editors that are attached to it share (services/session/).
#pragma once
#include "services/session/definitions.h"

namespace komuz::repl {

using services::Definition;
using services::Definitions;
using services::DefinitionText;
using services::KeptList;
using services::NumbersByName;
using services::words_of;

}  // namespace komuz::repl
