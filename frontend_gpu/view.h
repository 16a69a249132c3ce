// SPDX-License-Identifier: Apache-2.0
// The second door of the front end, for those who look at a compiled program: the columns as the passes left them
// (Compiler::columns), and the questions that the passes ask of the columns. What the passes do is behind
// frontend.h.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/columns/name_role.h"
#include "frontend_gpu/columns/tables.h"
#include "frontend_gpu/names/modules.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/questions/holes.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "frontend_gpu/questions/name_chains.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/questions/type_form.h"
#include "frontend_gpu/questions/words.h"
#include "frontend_gpu/tree/traps_call.h"
#include "frontend_gpu/tree/tree.h"
