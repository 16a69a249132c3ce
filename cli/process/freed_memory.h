// SPDX-License-Identifier: Apache-2.0
// For processes that live long and mostly wait.
#pragma once

namespace komuz::cli {

// From now on memory that is freed goes back to the system, but for the last MiB of each thread. Without it malloc keeps as much as was ever
// needed at once, and grows for as long as peaks meet: by a twentieth in 10⁶ edits of a text. An edit takes some 0.06 ms more.
void give_freed_memory_back();

}  // namespace komuz::cli
