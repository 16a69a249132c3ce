// SPDX-License-Identifier: Apache-2.0
// Command lines are read in services (args.h), since Python has the same options. These are the words for it in this folder.
#pragma once
#include "services/options/args.h"

namespace komuz::cli {

using services::Args;
using services::choice_error;
using services::files;
using services::Offer;
using services::offered_words;
using services::one_of;
using services::OptionRow;
using services::options_text;

}  // namespace komuz::cli
