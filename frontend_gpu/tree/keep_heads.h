// SPDX-License-Identifier: Apache-2.0
// Decides when the head of a program is kept for the next one (columns/kept_head.h). A head is measured once two
// programs in a row have had it, so texts that are all different pay for a comparison of their first bytes.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend {

class HeadKeeper {
 public:
  // What the compact columns hold of this text, which they are about to take. Other text is gone from them after it.
  [[nodiscard]] const KeptHead& begin(std::string_view text);
  // From now on they hold nothing.
  void forget() { is_kept_ = false; }
  // They hold a whole program. `kept`: what of it they held before. `code`: what it has become, if nothing was linked
  // with it; null: there is none.
  void end(const Columns& c, const KeptHead& kept, const Code* code);

 private:
  [[nodiscard]] static bool are_sound(const Columns& c);
  void look_at(const Columns& c, const Code* code);
  // False: passes over the body look at nodes of the head, too.
  [[nodiscard]] bool measure(const Columns& c);
  void keep_header(const Code& code);
  [[nodiscard]] bool measure_tokens(const Columns& c);
  [[nodiscard]] bool measure_nodes(const Columns& c);

  std::string text_;  // of the head that was seen last
  KeptHead head_;     // the same, once it is measured
  KeptHeader header_;
  bool is_kept_ = false, is_measured_ = false, is_refused_ = false;
};

}  // namespace komuz::frontend
