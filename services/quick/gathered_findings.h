// SPDX-License-Identifier: Apache-2.0
// What is wrong with a gathered text, said of the whole one: which numbers of a finding are places is its code's affair, so it is
// found out. The text is compiled once more behind a few blanks: what has grown by as many is a place.
#pragma once
#include "frontend_gpu/frontend.h"
#include "services/quick/gathered_text.h"

namespace komuz::services {

// `out`: what was found in the gathered text. False: it was stopped, or a finding has a number that is neither a place nor what it
// was; then the findings are of no use.
[[nodiscard]] bool tell_in_whole(const frontend::Options& options, const std::stop_token& stop,
                                 const GatheredText& gathered, frontend::Compilation& out);

}  // namespace komuz::services
