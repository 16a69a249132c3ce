// SPDX-License-Identifier: Apache-2.0
// The comments of a program, by the token that follows them. The lexer skips comments: they are the text between
// tokens that is not blank.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "frontend_gpu/view.h"

namespace komuz::services {

struct Comment {
  std::string_view text;  // from its `//` to its line's end, without trailing blanks
  bool owns_line = false;
  bool blank_before = false;  // preceded by an empty line
};

class Comments {
 public:
  explicit Comments(const frontend::Columns& c);

  // The comments before token t; t may be the number of tokens. If the first comment does not own its line, it is
  // behind token t - 1.
  [[nodiscard]] std::span<const Comment> before(frontend::Index t) const {
    return std::span(all_).subspan(first_[t], first_[t + 1] - first_[t]);
  }
  // True if there is an empty line between the last of them and the token.
  [[nodiscard]] bool has_blank_behind(frontend::Index t) const { return blank_behind_[t] != 0; }

 private:
  void read_gap(std::string_view gap, bool starts_line);

  std::vector<Comment> all_;
  std::vector<u32> first_;
  std::vector<u8> blank_behind_;
};

}  // namespace komuz::services
