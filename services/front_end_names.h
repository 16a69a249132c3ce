// SPDX-License-Identifier: Apache-2.0
// The front end's names that the services use.
#pragma once
#include "frontend_gpu/view.h"

namespace komuz::services {

using frontend::BindKind;
using frontend::Columns;
using frontend::Context;
using frontend::Index;
using frontend::kBuiltinRef;
using frontend::kNone;
using frontend::TypeForm;
using frontend::TypeId;

}  // namespace komuz::services
