// SPDX-License-Identifier: Apache-2.0
// Native code for what runs long. A code starts on the virtual machines; once it has run there for as long as compiling
// it is worth (code_class.h) and more of its work is waiting, a thread beside compiles it, and the jobs that follow run
// natively:
//
//   VM      ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
//   LLVM                  ░░░░░░░░░░░░░░░               on a thread beside
//   native                               ████████       from the next job on
//
// Codes that differ in constants alone count together, and share native code (code_family.h). Where the tier has a GPU,
// jobs of thousands of cases move there by the same rule, as kernels, each with its own constants.
//
// Nothing of this shows in outcomes: all machines give the same bits, and nobody waits for a compile. A tier is shared
// by the threads of an evaluation, or of a session, and keeps what it has compiled.
#pragma once
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "engine/native/code_class.h"
#include "engine/native/code_family.h"
#include "engine/native/kernel_code.h"
#include "lang/code.h"

namespace komuz::engine {

enum class NativeChoice : u8 {
  Never,
  Auto,    // what runs long enough to pay for it
  Always,  // each code, before it runs: runs wait for that
};
// The names that users type, in the order of the enumerators.
inline constexpr std::string_view kNativeNames[] = {"never", "auto", "always"};

// When a tier acts. Tests choose other rules, to move at every place.
struct TierRules {
  // A code that has run for less in a row is not noticed, which costs it nothing: nanoseconds.
  i64 notice_ns = 500'000;
  // A case with a larger budget than `long_ticks` that runs alone may move in the middle: it first gets `first_ticks`.
  u64 first_ticks = u64{1} << 18, long_ticks = u64{1} << 22;
  // A GPU takes jobs of at least so many cases, and is asked for so many at a time where more are waiting.
  u32 least_crowd = 4096, whole_crowd = 1u << 16;
  // For tests: rows of code_classes.def for a GPU hold though they are off.
  bool uses_unmeasured_kernels = false;
  // For tests: from this job of each code on it is native, and waited for, whatever it has taken.
  std::optional<u32> forced_job = {};
  // For tests: a long case moves as soon as `first_ticks` are used up.
  bool forces_long_cases = false;
};

// What the tier has done.
struct TierStats {
  u64 compiled = 0, refused = 0;
  f64 compile_seconds = 0;  // of processor time, refused ones included
  u64 native_cases = 0;
  f64 native_seconds = 0;
  // What the batch machine would have taken for these cases, at its own pace on earlier ticks of the same code; of
  // codes that it has not run nothing is known, and their time is not counted on either side.
  f64 vm_seconds = 0, known_native_seconds = 0;
  u64 left_again = 0;  // codes that were slower than the batch machine
  u64 sharing = 0;     // codes that ran as native code which loads their constants
  // On a GPU; these are among the figures above. Their seconds are of the clock on the wall.
  u64 kernels = 0, kernel_cases = 0;
  f64 kernel_seconds = 0;
};

// A code that is native.
struct NativeRow {
  std::string name;  // of the entry
  u64 instructions = 0, cases = 0;
  u64 sharing = 0;          // as TierStats::sharing
  f64 compile_seconds = 0;  // of processor time
};

// One code of a tier, or what those of a family share, for jobs of one kind of company.
class TieredCode {
 public:
  [[nodiscard]] bool is_native() const {
    return state_.load(std::memory_order_acquire) == State::Native;
  }
  // Null: there is none yet, or none any more.
  [[nodiscard]] const backend::NativeCode* native() const {
    return is_native() && code_ ? &*code_ : nullptr;
  }
  // The same of a code for jobs of a crowd.
  [[nodiscard]] KernelCode* kernel() const { return is_native() ? kernel_.get() : nullptr; }
  [[nodiscard]] bool is_refused() const {
    return state_.load(std::memory_order_acquire) == State::Refused;
  }
  // Is requested when the code is native.
  [[nodiscard]] std::stop_token ready() const { return ready_.get_token(); }
  // How many ticks took how many nanoseconds.
  void note_vm(u64 ticks, i64 ns) {
    vm_ticks_ += ticks;
    vm_ns_ += ns;
  }
  void note_native(u64 cases, u64 ticks, i64 ns);
  // So many codes have begun to run as it.
  void note_codes(u64 codes) {
    if (!loaded_.empty()) sharing_ += codes;
  }
  [[nodiscard]] bool is_waited_for() const {
    const State state = state_.load(std::memory_order_acquire);
    return state == State::Waiting || state == State::Compiling;
  }
  // What the batch machine takes for it is told to the same code for other jobs, which it does not run.
  void give_pace(TieredCode& other) const {
    other.vm_ticks_ = vm_ticks_.load();
    other.vm_ns_ = vm_ns_.load();
  }
  [[nodiscard]] f64 vm_ns() const { return static_cast<f64>(vm_ns_); }
  // Of the batch machine; 0: not known.
  [[nodiscard]] f64 vm_ns_a_tick() const { return pace(vm_ticks_, vm_ns_); }
  // Of native code, if it is native and has run, else of the batch machine.
  [[nodiscard]] f64 ns_a_tick() const {
    const f64 here = is_native() ? pace(native_ticks_, native_ns_) : 0;
    return here != 0 ? here : vm_ns_a_tick();
  }

 private:
  friend class NativeTier;
  enum class State : u8 { Idle, Waiting, Compiling, Native, Refused };

  TieredCode(const CodeView& code, u32 function, Company company,
             const std::shared_ptr<CodeFamily>& family);
  static f64 pace(u64 ticks, i64 ns) {
    return ticks == 0 ? 0 : static_cast<f64>(ns) / static_cast<f64>(ticks);
  }

  const Company company_;
  CodeShape shape_;
  u32 function_;
  std::string name_;
  const std::weak_ptr<CodeFamily> family_;
  // Does it count for several codes?
  std::atomic<bool> is_shared_ = false;
  Code kept_;                // until it is decided
  std::vector<u32> loaded_;  // the constants that it loads; known from a request on
  std::atomic<State> state_ = State::Idle;
  std::atomic<u32> wanted_ = 0;  // by so many machines
  std::optional<backend::NativeCode> code_;
  std::unique_ptr<KernelCode> kernel_;  // in its place, for a crowd
  std::stop_source ready_;
  std::atomic<u64> vm_ticks_ = 0, native_ticks_ = 0, native_cases_ = 0, sharing_ = 0;
  std::atomic<i64> vm_ns_ = 0, native_ns_ = 0;
  f64 compile_seconds_ = 0;
};

class NativeTier {
 public:
  explicit NativeTier(NativeChoice choice, TierRules rules = {});
  // Waits for a compile that has begun; is_compiling() says whether there is one.
  ~NativeTier();
  NativeTier(const NativeTier&) = delete;
  NativeTier& operator=(const NativeTier&) = delete;

  [[nodiscard]] NativeChoice choice() const { return choice_; }
  // For the jobs that follow.
  void choose(NativeChoice choice) { choice_ = choice; }
  [[nodiscard]] const TierRules& rules() const { return rules_; }
  [[nodiscard]] bool is_compiling() const;
  [[nodiscard]] TierStats stats() const;
  // In no order that means anything.
  [[nodiscard]] std::vector<NativeRow> rows() const;
  // Why a code, or any, did not become native, each reason once: "no native code of `f`: its
  // instructions …". In the order in which they were found.
  [[nodiscard]] std::vector<std::string> reasons() const;
  // What did not work beside compiling, though code became native (Backend::notes): "native code is not kept in …".
  [[nodiscard]] std::vector<std::string> notes() const;

  // The code's entry here; null if the tier does nothing for it. `variants`: the constants of several codes of its
  // family, one behind the other; empty: its own.
  [[nodiscard]] std::shared_ptr<TieredCode> find(const CodeView& code, u32 function,
                                                 Company company,
                                                 std::span<const u64> variants = {});
  // The same, if it is native by loads of constants; else null. Takes no time as long as nothing is.
  [[nodiscard]] std::shared_ptr<TieredCode> find_shared(const CodeView& code, u32 function,
                                                        Company company,
                                                        std::span<const u64> variants = {});
  // Does the time that the code has taken pay for compiling it, given what is waiting (nanoseconds of the batch
  // machine; less than 0: nobody knows)? What is still to come of codes that share native code is never known.
  [[nodiscard]] bool pays(const TieredCode& code, f64 waiting_ns) const;
  // The nanoseconds of the batch machine until it does, if it ever does.
  [[nodiscard]] std::optional<f64> left_until_it_pays(const TieredCode& code) const;
  // Compiles it beside, not before `delay_ns` have passed. Each request is withdrawn when its work is over.
  void request(const std::shared_ptr<TieredCode>& code, const CodeView& view, f64 delay_ns = 0);
  void withdraw(TieredCode& code);
  // Compiles it and waits, until a stop. It may be refused.
  std::shared_ptr<TieredCode> compile_now(const CodeView& code, u32 function, Company company,
                                          const std::stop_token* stop,
                                          std::span<const u64> variants = {});
  // Leaves the native code of `code`, if it is slower than the batch machine was.
  void leave_if_slower(TieredCode& code) { leave_if_slower(code, code.vm_ns_a_tick()); }
  // The same, where the work would go back to what takes `other_ns_a_tick`.
  void leave_if_slower(TieredCode& code, f64 other_ns_a_tick);
  void leave(TieredCode& code);

  // Would it use a GPU that it does not have?
  [[nodiscard]] bool wants_device() const;
  // Jobs that fit run on it from here on; or why there is none, which is a reason why code is not native.
  void use_device(Result<std::shared_ptr<backend::PtxDevice>> device);
  [[nodiscard]] bool has_device() const { return has_device_.load(std::memory_order_relaxed); }
  // Whoever runs a kernel holds it.
  [[nodiscard]] std::mutex& device_turn() { return device_turn_; }
  // Work that may move to the GPU.
  struct CrowdWork {
    f64 ticks_a_case = 0;
    u64 bytes_a_case = 0;  // of arguments and outcomes
    u64 waiting = 0;       // cases
  };
  // Does it pay to make a kernel of `code`, which is for many cases and has run here?
  [[nodiscard]] bool pays_on_device(const TieredCode& code, const CrowdWork& work) const;
  // A launch has failed: the kernel is left. After some of these the device is.
  void note_failure(TieredCode& kernel, const Problem& problem);

 private:
  struct Request {
    std::shared_ptr<TieredCode> code;
    const NativeWay* way;
    i64 due;  // by the clock on the wall
  };

  void serve();
  // Takes the mutex.
  void refuse(TieredCode& code, const std::string& why);
  void compile(Request& request);
  std::string make(TieredCode& code, const backend::Backend& backend, const NativeWay& way);
  std::string make_native(TieredCode& code, const backend::Backend& backend, const NativeWay& way);
  std::string make_kernel(TieredCode& code, const backend::Backend& backend, const NativeWay& way);
  void add_reason(std::string why);
  void start_threads();
  void forget_old();
  static void add_times(const TieredCode& code, TierStats& stats);
  // With the mutex.
  template <class Body>
  void for_each_code(Body body) const {
    for (const auto& [key, family] : families_)
      for (const std::shared_ptr<TieredCode>& code : family->codes) body(*code);
  }

  std::atomic<NativeChoice> choice_;
  const TierRules rules_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable_any changed_;
  std::map<FamilyKey, std::shared_ptr<CodeFamily>> families_;
  std::vector<Request> requests_;
  std::vector<std::thread> threads_;
  u32 compiling_ = 0, idle_ = 0;
  bool is_closing_ = false;
  std::atomic<bool> is_broken_ = false;   // nothing can be compiled
  std::atomic<bool> has_shared_ = false;  // has native code been made that loads constants?
  u64 used_ = 0;                          // counts uses of families
  u64 code_bytes_ = 0;
  std::atomic<f64> pace_ = 1;  // the time of compiles here over what was expected
  std::vector<std::string> reasons_;
  std::shared_ptr<backend::PtxDevice> device_;
  std::atomic<bool> has_device_ = false;
  std::mutex device_turn_;
  std::atomic<u32> device_failures_ = 0;
  std::atomic<f64> kernel_pace_ = 1;  // as pace_, of kernels
  TierStats stats_;
};

}  // namespace komuz::engine
