// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/gdb_objects.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace komuz::backend {
namespace {

enum Action : u32 { kNothing, kRegister, kUnregister };

struct JitDescriptor {
  u32 version = 1;
  u32 action = kNothing;
  JitCodeEntry* relevant = nullptr;
  JitCodeEntry* first = nullptr;
};

std::mutex& list_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

}  // namespace
}  // namespace komuz::backend

// The names are gdb's, and it has to see them in this file's table of symbols.
extern "C" {
__attribute__((visibility("default"), used, noinline)) void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
__attribute__((visibility("default"), used)) komuz::backend::JitDescriptor __jit_debug_descriptor;
}

namespace komuz::backend {
namespace {

// With the mutex.
void say(JitCodeEntry& entry, Action action) {
  __jit_debug_descriptor.relevant = &entry;
  __jit_debug_descriptor.action = action;
  __jit_debug_register_code();
}

// The file: its header, the sections' contents, their headers. The text is not in it, as it is in memory.
class ObjectWriter {
 public:
  enum Section : u16 { kNone, kText, kUnwind, kSymbols, kNames, kSectionNames, kCount };

  explicit ObjectWriter(const CodeMap& map) {
    u64 begin = ~u64{0}, end = 0;
    for (const MappedFunction& f : map.functions) {
      begin = std::min(begin, f.address);
      end = std::max(end, f.address + f.size);
    }
    bytes_.resize(sizeof(Elf64_Ehdr));
    Elf64_Shdr& text = headers_[kText];
    text = {.sh_name = name(".text"),
            .sh_type = SHT_NOBITS,
            .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
            .sh_addr = begin,
            .sh_offset = bytes_.size(),
            .sh_size = end - begin,
            .sh_link = 0,
            .sh_info = 0,
            .sh_addralign = 16,
            .sh_entsize = 0};
    add(kUnwind, ".eh_frame", map.unwind.empty() ? SHT_NULL : SHT_PROGBITS, map.unwind, 8);
    headers_[kUnwind].sh_flags = map.unwind.empty() ? 0 : SHF_ALLOC;
    headers_[kUnwind].sh_addr = map.unwind_address;
    std::string symbols(sizeof(Elf64_Sym), 0), names(1, 0);
    for (const MappedFunction& f : map.functions) {
      Elf64_Sym symbol = {};
      symbol.st_name = static_cast<u32>(names.size());
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      symbol.st_shndx = kText;
      symbol.st_value = f.address;
      symbol.st_size = f.size;
      symbols.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
      names.append(f.name).push_back(0);
    }
    add(kSymbols, ".symtab", SHT_SYMTAB, symbols, 8);
    headers_[kSymbols].sh_link = kNames;
    headers_[kSymbols].sh_info = 1;  // the first global one
    headers_[kSymbols].sh_entsize = sizeof(Elf64_Sym);
    add(kNames, ".strtab", SHT_STRTAB, names, 1);
    const u32 last = name(".shstrtab");
    add(kSectionNames, ".shstrtab", SHT_STRTAB, section_names_, 1);
    headers_[kSectionNames].sh_name = last;
  }

  std::string take() {
    align(8);
    Elf64_Ehdr head = {};
    std::copy_n(ELFMAG, SELFMAG, head.e_ident);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_type = ET_EXEC;  // addresses are those in memory
    head.e_machine = EM_X86_64;
    head.e_version = EV_CURRENT;
    head.e_shoff = bytes_.size();
    head.e_ehsize = sizeof head;
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = kCount;
    head.e_shstrndx = kSectionNames;
    bytes_.replace(0, sizeof head, reinterpret_cast<const char*>(&head), sizeof head);
    bytes_.append(reinterpret_cast<const char*>(headers_.data()), sizeof headers_);
    return std::move(bytes_);
  }

 private:
  u32 name(const char* text) {
    const u32 at = static_cast<u32>(section_names_.size());
    section_names_.append(text).push_back(0);
    return at;
  }
  void align(size_t to) { bytes_.resize((bytes_.size() + to - 1) / to * to); }
  void add(Section section, const char* text, u32 type, const std::string& content, u64 alignment) {
    align(alignment);
    Elf64_Shdr& header = headers_[section];
    if (section != kSectionNames) header.sh_name = name(text);
    header.sh_type = type;
    header.sh_offset = bytes_.size();
    header.sh_size = content.size();
    header.sh_addralign = alignment;
    bytes_ += content;
  }

  std::string bytes_, section_names_ = std::string(1, 0);
  std::array<Elf64_Shdr, kCount> headers_ = {};
};

}  // namespace

std::string gdb_object(const CodeMap& map) { return ObjectWriter(map).take(); }

void tell_gdb(JitCodeEntry& entry) {
  const std::lock_guard lock(list_mutex());
  entry.next = __jit_debug_descriptor.first;
  if (entry.next != nullptr) entry.next->previous = &entry;
  __jit_debug_descriptor.first = &entry;
  say(entry, kRegister);
}
void untell_gdb(JitCodeEntry& entry) {
  const std::lock_guard lock(list_mutex());
  if (entry.next != nullptr) entry.next->previous = entry.previous;
  (entry.previous != nullptr ? entry.previous->next : __jit_debug_descriptor.first) = entry.next;
  say(entry, kUnregister);
}

}  // namespace komuz::backend
