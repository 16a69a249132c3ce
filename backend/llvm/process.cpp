// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/process.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace komuz::backend {
namespace {

struct ProcessState {
  std::mutex mutex;
  BackendSettings settings;
  std::vector<std::string> notes;
};
ProcessState& process_state() {
  static ProcessState& all = *new ProcessState;
  return all;
}

// Of a note in memory: its header, its name and its text, each filled up to 4 bytes.
constexpr size_t filled(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

std::string build_id_in(const char* at, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const size_t whole = sizeof note + filled(note.n_namesz) + filled(note.n_descsz);
    if (whole > size) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(at + sizeof note, "GNU", 4) == 0)
      return {at + sizeof note + 4, note.n_descsz};
    at += whole;
    size -= whole;
  }
  return {};
}

// Looks for the file that this function is in.
int find_build_id(dl_phdr_info* info, size_t, void* out) {
  const auto here = reinterpret_cast<ElfW(Addr)>(&find_build_id);
  bool is_here = false;
  std::string found;
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const ElfW(Phdr)& part = info->dlpi_phdr[k];
    const ElfW(Addr) begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && here >= begin && here < begin + part.p_memsz) is_here = true;
    if (part.p_type == PT_NOTE && found.empty())
      found = build_id_in(reinterpret_cast<const char*>(begin), part.p_memsz);
  }
  if (is_here) *static_cast<std::string*>(out) = found;
  return is_here ? 1 : 0;
}

}  // namespace

void configure_process(const BackendSettings& settings) {
  const std::lock_guard lock(process_state().mutex);
  process_state().settings = settings;
  process_state().notes.clear();
}
BackendSettings process_settings() {
  const std::lock_guard lock(process_state().mutex);
  return process_state().settings;
}
void note_problem(const std::string& note) {
  const std::lock_guard lock(process_state().mutex);
  std::vector<std::string>& notes = process_state().notes;
  constexpr size_t kMostNotes = 100;
  if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end())
    notes.push_back(note);
}
std::vector<std::string> noted_problems() {
  const std::lock_guard lock(process_state().mutex);
  return process_state().notes;
}

std::string build_id() {
  static const std::string& found = *new std::string([] {
    std::string id;
    dl_iterate_phdr(find_build_id, &id);
    return id;
  }());
  return found;
}

}  // namespace komuz::backend
