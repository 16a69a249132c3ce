// SPDX-License-Identifier: Apache-2.0
// What services/highlight says of files: tests/editors/check_colours.py compares it with what editors show.
//   write_colours FILE…    prints a list for each file, of [first byte, byte behind it, kind]
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "services/highlight.h"

int main(int count, char** arguments) {
  namespace services = komuz::services;
  komuz::frontend::Compiler compiler;
  nlohmann::json all = nlohmann::json::array();
  for (int k = 1; k < count; ++k) {
    std::ifstream in(arguments[k], std::ios::binary);
    if (!in) {
      std::cerr << "write_colours: " << arguments[k] << " cannot be read\n";
      return 1;
    }
    const std::string text(std::istreambuf_iterator<char>(in), {});
    nlohmann::json list = nlohmann::json::array();
    for (const services::Stretch& one : services::highlight(compiler, text))
      list.push_back({one.begin, one.end, services::text_kind_name(one.kind)});
    all.push_back(std::move(list));
  }
  std::cout << all << "\n";
}
