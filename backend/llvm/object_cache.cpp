// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/object_cache.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/SHA256.h>

#include <list>
#include <map>
#include <mutex>

#include "backend/abi.h"
#include "backend/llvm/cache_files.h"
#include "backend/llvm/process.h"

namespace komuz::backend {
namespace {

constexpr u64 kMostMemory = 64u << 20;

// The last used first.
struct KeptObjects {
  struct Row {
    ObjectKey key;
    StoredObject object;
  };
  std::mutex mutex;
  std::list<Row> rows;
  std::map<std::array<u8, 32>, std::list<Row>::iterator> by_digest;
  u64 bytes = 0;
  CacheUse use;

  // With the mutex.
  void add(const ObjectKey& key, const StoredObject& object) {
    if (by_digest.contains(key.digest) || object.bytes.size() > kMostMemory) return;
    rows.push_front({key, object});
    by_digest[key.digest] = rows.begin();
    bytes += object.bytes.size();
    while (bytes > kMostMemory) {
      bytes -= rows.back().object.bytes.size();
      by_digest.erase(rows.back().key.digest);
      rows.pop_back();
    }
  }
};
KeptObjects& kept_objects() {
  static KeptObjects& all = *new KeptObjects;
  return all;
}

// Columns have their length before them, so no two lists of columns are the same bytes.
class KeyHash {
 public:
  template <class T>
  void column(std::span<const T> rows) {
    static_assert(std::has_unique_object_representations_v<T>);
    number(rows.size());
    hash_.update(llvm::ArrayRef(reinterpret_cast<const u8*>(rows.data()), rows.size_bytes()));
  }
  void text(std::string_view t) { column(std::span(t.data(), t.size())); }
  void number(u64 n) { hash_.update(llvm::ArrayRef(reinterpret_cast<const u8*>(&n), sizeof n)); }
  // What all objects depend on.
  void circumstances(const std::string& target, Effort effort, u32 lanes, Maps maps) {
    number(kAbiVersion);
    text(LLVM_VERSION_STRING);
    text(build_id());
    text(target);
    number(static_cast<u64>(effort));
    number(lanes);
    number(static_cast<u64>(maps));
  }
  ObjectKey key(std::string target) { return {hash_.final(), std::move(target)}; }

 private:
  llvm::SHA256 hash_;
};

std::string target_of(const llvm::TargetMachine& machine) {
  return machine.getTargetCPU().str() + " " + machine.getTargetTriple().str() + " " +
         machine.getTargetFeatureString().str();
}

}  // namespace

ObjectKey key_of(const CodeView& code, const CompileRequest& request,
                 const llvm::TargetMachine& machine) {
  KeyHash hash;
  std::string target = target_of(machine);
  // All that a shape says: one thing more does not compile here.
  const auto [lanes, for_device] = request.shape;
  hash.circumstances(target, request.effort, lanes, request.maps);
  hash.text("program");
  hash.number(for_device ? 1 : 0);
  hash.number(request.entry);
  hash.text(request.symbol);
  hash.column(code.instructions);
  // Constants that are loaded count as 0.
  std::vector<u64> constants(code.constants.begin(), code.constants.end());
  for (const u32 number : request.loaded.numbers) constants[number] = 0;
  hash.column(std::span<const u64>(constants));
  hash.column(request.loaded.numbers);
  hash.number(static_cast<u64>(request.loaded.of));
  hash.column(code.types);
  hash.column(code.slot_types);
  hash.number(code.functions.size());
  // Without what says where it stands in the source.
  for (const Function& f : code.functions) {
    hash.text(code.name(f));
    for (const u64 n :
         {u64{f.code_begin}, u64{f.code_end}, u64{f.types_begin}, u64{f.slots_begin},
          u64{f.parameter_slots}, u64{f.result_cells}, u64{f.slots}, u64{f.rec}, u64{f.cycle}})
      hash.number(n);
  }
  return hash.key(std::move(target));
}

ObjectKey key_of(const ir::Kernel& kernel, u32 lanes, Maps maps,
                 const llvm::TargetMachine& machine) {
  KeyHash hash;
  std::string target = target_of(machine);
  hash.circumstances(target, Effort::Normal, lanes, maps);
  hash.text("kernel");
  hash.text(kernel.name);
  return hash.key(std::move(target));
}

std::optional<StoredObject> find_object(const ObjectKey& key) {
  KeptObjects& all = kept_objects();
  {
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.by_digest.find(key.digest); found != all.by_digest.end()) {
      all.rows.splice(all.rows.begin(), all.rows, found->second);
      ++all.use.in_memory;
      return found->second->object;
    }
  }
  const std::string folder = process_settings().cache_folder;
  std::optional<StoredObject> read;
  // Without it nobody knows whether another version has made a file.
  if (!folder.empty() && !build_id().empty()) read = read_cache_file(folder, key);
  const std::lock_guard lock(all.mutex);
  if (!read) {
    ++all.use.made;
    return std::nullopt;
  }
  ++all.use.on_disk;
  all.add(key, *read);
  return read;
}

void keep_object(const ObjectKey& key, const StoredObject& object) {
  KeptObjects& all = kept_objects();
  {
    const std::lock_guard lock(all.mutex);
    all.add(key, object);
  }
  const std::string folder = process_settings().cache_folder;
  if (folder.empty()) return;
  if (build_id().empty())
    return note_problem("native code is not kept in " + folder +
                        ": komuz_backend.so was linked without a build id");
  write_cache_file(folder, key, object);
}

void forget_objects() {
  KeptObjects& all = kept_objects();
  const std::lock_guard lock(all.mutex);
  all.by_digest.clear();
  all.rows.clear();
  all.bytes = 0;
}

CacheUse object_cache_use() {
  const std::lock_guard lock(kept_objects().mutex);
  return kept_objects().use;
}

}  // namespace komuz::backend
