// SPDX-License-Identifier: Apache-2.0
#include "base/machine/whole_object.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "base/ints.h"

namespace komuz::machine {
namespace {

// [at, at + count * each) lies in the file.
bool is_inside(u64 size, u64 at, u64 count, u64 each) {
  return at <= size && (each == 0 || count <= (size - at) / each);
}

}  // namespace

std::string object_fault(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return "it is no file";
  const u64 size = std::filesystem::file_size(path, failed);
  if (failed) return failed.message();
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file) return "it cannot be read, or is too short";
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_DYN)
    return "it is no shared object";
  const std::string cut = "it is damaged, or a part of it is missing";
  if (header.e_phentsize != sizeof(Elf64_Phdr) ||
      !is_inside(size, header.e_phoff, header.e_phnum, header.e_phentsize) ||
      !is_inside(size, header.e_shoff, header.e_shnum, header.e_shentsize))
    return cut;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  file.read(reinterpret_cast<char*>(segments.data()),
            static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
  if (!file) return cut;
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && !is_inside(size, segment.p_offset, segment.p_filesz, 1))
      return cut;
  return {};
}

}  // namespace komuz::machine
