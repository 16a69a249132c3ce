// SPDX-License-Identifier: Apache-2.0
// write_device_ptx FILE: writes the PTX of the programs that a GPU runs in tests (device_programs.h).
#include <fstream>
#include <iostream>

#include "tests/backend/device_programs.h"

int main(int argc, char** argv) {
  using namespace komuz;
  if (argc != 2) {
    std::cerr << "write_device_ptx: name a file\n";
    return 2;
  }
  const Result<const backend::Backend*> opened = backend::open_backend();
  std::vector<test::DeviceProgram> programs = test::device_programs();
  const Result<std::string> made = opened.problem() ? Result<std::string>(Problem(opened.problem()))
                                                    : test::device_ptx(*opened.value(), programs);
  if (made.problem()) {
    std::cerr << "write_device_ptx: " << made.problem().text() << "\n";
    return 1;
  }
  return (std::ofstream(argv[1], std::ios::binary) << made.value()) ? 0 : 1;
}
