// SPDX-License-Identifier: Apache-2.0
#include "engine/native/native_tier.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include "base/machine/memory.h"
#include "base/machine/processors.h"
#include "engine/native/job_clock.h"
#include "lang/copy_code.h"

namespace komuz::engine {
namespace {

// A compile that would take longer than this is not begun by itself: LLVM cannot be stopped.
constexpr f64 kLongestCompileNs = 2e9;
// What LLVM and the code that it makes may take of memory, at least.
constexpr u64 kMemoryOfCompile = u64{256} << 20;
constexpr u64 kStackOfCalls = u64{2} << 20;
constexpr u64 kMostCodeBytes = u64{64} << 20;
constexpr size_t kMostFamilies = 4096, kMostReasons = 32;

// Why nothing may be compiled now; empty if it may.
std::string shortage() {
  if (machine::is_memory_short() || machine::spare_memory() < kMemoryOfCompile)
    return "there is too little memory for LLVM, which takes up to 256 MiB";
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kStackOfCalls)
    return "the stacks of threads are too small for native calls (`ulimit -s`)";
  return {};
}

}  // namespace

TieredCode::TieredCode(const CodeView& code, u32 function, Company company,
                       const std::shared_ptr<CodeFamily>& family)
    : company_(company),
      shape_(shape_of(code, function)),
      function_(function),
      name_(code.name(code.functions[function])),
      family_(family) {}

void TieredCode::note_native(u64 cases, u64 ticks, i64 ns) {
  native_cases_ += cases;
  native_ticks_ += ticks;
  native_ns_ += ns;
}

NativeTier::NativeTier(NativeChoice choice, TierRules rules) : choice_(choice), rules_(rules) {}

NativeTier::~NativeTier() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    requests_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool NativeTier::is_compiling() const {
  const std::lock_guard lock(mutex_);
  return compiling_ != 0;
}

std::shared_ptr<TieredCode> NativeTier::find(const CodeView& code, u32 function, Company company,
                                             std::span<const u64> variants) {
  if (choice_ == NativeChoice::Never) return nullptr;
  if (variants.empty()) variants = code.constants;
  const FamilyKey key = family_key(code, function, company);
  const std::lock_guard lock(mutex_);
  if (is_broken_) return nullptr;
  auto found = families_.find(key);
  if (found == families_.end())
    found = families_.emplace(key, std::make_shared<CodeFamily>(code)).first;
  const std::shared_ptr<CodeFamily> family = found->second;
  family->add(variants);
  family->used_at = ++used_;
  if (families_.size() > kMostFamilies) forget_old();
  std::vector<std::shared_ptr<TieredCode>>& codes = family->codes;
  // What is refused, or slower, is so whatever the constants are.
  if (std::ranges::any_of(codes, [](const auto& known) { return known->is_refused(); }))
    return nullptr;
  const auto takes = [&](const std::shared_ptr<TieredCode>& known) {
    return known->state_ == TieredCode::State::Idle || family->fit(variants, known->loaded_);
  };
  auto fitting = std::ranges::find_if(codes, takes);
  if (fitting == codes.end()) {
    codes.emplace_back(new TieredCode(code, function, company, family));
    fitting = std::prev(codes.end());
  }
  if (family->has_several()) (*fitting)->is_shared_ = true;
  return *fitting;
}

std::shared_ptr<TieredCode> NativeTier::find_shared(const CodeView& code, u32 function,
                                                    Company company,
                                                    std::span<const u64> variants) {
  if (!has_shared_.load(std::memory_order_relaxed) || choice_ == NativeChoice::Never)
    return nullptr;
  if (variants.empty()) variants = code.constants;
  const FamilyKey key = family_key(code, function, company);
  const std::lock_guard lock(mutex_);
  const auto found = families_.find(key);
  if (found == families_.end()) return nullptr;
  CodeFamily& family = *found->second;
  for (const std::shared_ptr<TieredCode>& known : family.codes) {
    if (known->native() == nullptr || !family.fit(variants, known->loaded_)) continue;
    family.used_at = ++used_;
    return known;
  }
  return nullptr;
}

bool NativeTier::pays(const TieredCode& code, f64 waiting_ns) const {
  const NativeWay* const way = native_way(code.shape_.code_class, code.company_);
  if (way == nullptr || code.is_refused()) return false;
  const f64 pace = pace_.load(std::memory_order_relaxed);
  const f64 compile = pace * way->compile_ns(code.shape_);
  if (compile > kLongestCompileNs) return false;
  const f64 threshold = pace * way->threshold_ns(code.shape_);
  if (code.is_shared_) return code.vm_ns() >= threshold;
  // What is waiting goes on here until the code is ready.
  return code.vm_ns() >= threshold && (waiting_ns < 0 || waiting_ns >= threshold + compile);
}

std::optional<f64> NativeTier::left_until_it_pays(const TieredCode& code) const {
  const NativeWay* const way = native_way(code.shape_.code_class, code.company_);
  if (way == nullptr || code.is_refused()) return std::nullopt;
  const f64 pace = pace_.load(std::memory_order_relaxed);
  if (pace * way->compile_ns(code.shape_) > kLongestCompileNs) return std::nullopt;
  return std::max(0.0, pace * way->threshold_ns(code.shape_) - code.vm_ns());
}

void NativeTier::request(const std::shared_ptr<TieredCode>& code, const CodeView& view,
                         f64 delay_ns) {
  const i64 due = read_clock_ns(CLOCK_MONOTONIC) + static_cast<i64>(delay_ns);
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<CodeFamily> family = code->family_.lock();  // null: it was forgotten
  const bool begins =
      code->state_ == TieredCode::State::Idle && !is_broken_ && !is_closing_ && family != nullptr;
  // What may throw comes first: nothing has changed then.
  if (begins) {
    if (code->kept_.functions.empty()) code->kept_ = copy_code(view);
    const bool is_last = family->codes.size() == CodeFamily::kMost && code == family->codes.back();
    code->loaded_ = is_last ? family->loadable() : family->differing(view);
    requests_.push_back({code, &stated_way(code->shape_.code_class, code->company_), due});
  }
  code->wanted_.fetch_add(1);
  if (!begins) {
    // Whoever waits longer for it does not make others wait.
    for (Request& request : requests_)
      if (request.code == code) request.due = std::min(request.due, due);
    wake_.notify_one();
    return;
  }
  code->state_ = TieredCode::State::Waiting;
  start_threads();
  wake_.notify_one();
}

void NativeTier::withdraw(TieredCode& code) { code.wanted_.fetch_sub(1); }

std::shared_ptr<TieredCode> NativeTier::compile_now(const CodeView& code, u32 function,
                                                    Company company, const std::stop_token* stop,
                                                    std::span<const u64> variants) {
  const std::shared_ptr<TieredCode> found = find(code, function, company, variants);
  if (found == nullptr) return nullptr;
  request(found, code);
  {
    const auto is_decided = [&] { return !found->is_waited_for() || is_broken_; };
    std::unique_lock lock(mutex_);
    static_cast<void>(changed_.wait(lock, stop != nullptr ? *stop : std::stop_token(), is_decided));
  }
  withdraw(*found);
  return found->is_native() ? found : nullptr;
}

void NativeTier::leave_if_slower(TieredCode& code, f64 other_ns_a_tick) {
  // Enough of it that a single case does not decide.
  constexpr i64 kEnough = 500'000;
  if (choice_ != NativeChoice::Auto || rules_.forced_job || code.native_ns_ < kEnough) return;
  const f64 here = TieredCode::pace(code.native_ticks_, code.native_ns_);
  if (here != 0 && other_ns_a_tick != 0 && here > other_ns_a_tick) leave(code);
}

void NativeTier::leave(TieredCode& code) {
  auto native = TieredCode::State::Native;
  if (!code.state_.compare_exchange_strong(native, TieredCode::State::Refused)) return;
  const std::lock_guard lock(mutex_);
  ++stats_.left_again;
}

// With the mutex.
void NativeTier::start_threads() {
  const bool waits = choice_ == NativeChoice::Always || rules_.forced_job.has_value();
  const size_t most = waits ? machine::usable_processors() : 1;
  if (idle_ >= requests_.size() || threads_.size() >= most) return;
  try {
    threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    if (!threads_.empty()) return;
    is_broken_ = true;
    reasons_.emplace_back("the system gives no thread for compiling");
    changed_.notify_all();
  }
}

void NativeTier::serve() {
  std::unique_lock lock(mutex_);
  while (!is_closing_) {
    std::erase_if(requests_, [](const Request& request) {
      // Of shared code, others come who want it.
      if (request.code->wanted_ != 0 || request.code->is_shared_) return false;
      request.code->state_ = TieredCode::State::Idle;
      return true;
    });
    const auto next = std::ranges::min_element(requests_, {}, &Request::due);
    const i64 wait = next == requests_.end() ? -1 : next->due - read_clock_ns(CLOCK_MONOTONIC);
    if (next == requests_.end() || wait > 0) {
      ++idle_;
      if (next == requests_.end())
        wake_.wait(lock);
      else
        wake_.wait_for(lock, std::chrono::nanoseconds(wait));
      --idle_;
      continue;
    }
    Request request = std::move(*next);
    requests_.erase(next);
    request.code->state_ = TieredCode::State::Compiling;
    ++compiling_;
    lock.unlock();
    try {
      compile(request);
    } catch (const std::bad_alloc&) {
      refuse(*request.code, "there was too little memory for it");
    }
    request.code.reset();
    lock.lock();
    --compiling_;
    changed_.notify_all();
  }
  lock.unlock();
  machine::settle_memory();
}

void NativeTier::refuse(TieredCode& code, const std::string& why) {
  const std::lock_guard lock(mutex_);
  ++stats_.refused;
  const char* const what =
      code.company_ == Company::Crowd ? "no kernel of `" : "no native code of `";
  add_reason(what + code.name_ + "`: " + why);
  code.state_ = TieredCode::State::Refused;
}

// Why no code was made; empty if it was.
std::string NativeTier::make(TieredCode& code, const backend::Backend& backend,
                             const NativeWay& way) {
  const bool is_kernel = code.company_ == Company::Crowd;
  std::atomic<f64>& known = is_kernel ? kernel_pace_ : pace_;
  const u64 made_before = backend.cache_use().made;
  const i64 began = thread_time_ns();
  std::string why = is_kernel ? make_kernel(code, backend, way) : make_native(code, backend, way);
  if (!why.empty()) return why;
  constexpr f64 kNew = 0.25;
  const f64 taken = static_cast<f64>(thread_time_ns() - began);
  code.compile_seconds_ = 1e-9 * taken;
  // What was kept says nothing of what LLVM takes.
  if (!is_kernel && backend.cache_use().made == made_before) return {};
  const f64 pace = taken / way.compile_ns(code.shape_);
  known = (1 - kNew) * known + kNew * std::clamp(pace, 0.1, 10.0);
  return {};
}

std::string NativeTier::make_native(TieredCode& code, const backend::Backend& backend,
                                    const NativeWay& way) {
  const auto of =
      code.company_ == Company::Variants ? backend::ConstantsOf::Case : backend::ConstantsOf::Job;
  Result<backend::NativeCode> made = backend.compile(code.kept_.view(), code.function_, way.effort,
                                                     "native", {way.lanes}, {code.loaded_, of});
  if (made.problem()) return made.problem().text();
  code.code_.emplace(std::move(made).value());
  return {};
}

void NativeTier::compile(Request& request) {
  TieredCode& code = *request.code;
  const i64 began = thread_time_ns();
  std::string why = shortage();
  const bool is_short = !why.empty();
  bool is_for_all = false;
  if (why.empty()) {
    const Result<const backend::Backend*> opened = backend::open_backend();
    is_for_all = static_cast<bool>(opened.problem());
    why = is_for_all ? opened.problem().text() : make(code, *opened.value(), *request.way);
  }
  // Nobody asks for the bytecode of what is decided.
  const Code decided = std::exchange(code.kept_, {});
  if (!why.empty() && !is_short && !is_for_all) {
    refuse(code, why);
    const std::lock_guard lock(mutex_);
    stats_.compile_seconds += 1e-9 * static_cast<f64>(thread_time_ns() - began);
    return;
  }
  const std::lock_guard lock(mutex_);
  stats_.compile_seconds += 1e-9 * static_cast<f64>(thread_time_ns() - began);
  if (!why.empty()) {
    ++stats_.refused;
    is_broken_ = is_broken_ || is_for_all;
    add_reason("no native code: " + why);
    code.state_ = TieredCode::State::Refused;
    return;
  }
  ++stats_.compiled;
  if (code.kernel_ != nullptr)
    ++stats_.kernels;
  else
    code_bytes_ += code.code_->code_bytes();
  if (!code.loaded_.empty()) has_shared_ = true;
  code.state_ = TieredCode::State::Native;
  code.ready_.request_stop();
  if (code_bytes_ > kMostCodeBytes) forget_old();
}

// With the mutex.
void NativeTier::add_reason(std::string why) {
  if (reasons_.size() < kMostReasons && std::ranges::find(reasons_, why) == reasons_.end())
    reasons_.push_back(std::move(why));
}

// With the mutex. Forgets the half that was used longest ago; who runs some of it keeps it as long as that.
void NativeTier::forget_old() {
  std::vector<u64> uses;
  for (const auto& [key, family] : families_) uses.push_back(family->used_at);
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::ranges::nth_element(uses, middle);
  const u64 least = *middle;
  std::erase_if(families_, [&](const auto& row) {
    const CodeFamily& family = *row.second;
    const auto waits = [](const auto& code) { return code->is_waited_for(); };
    if (family.used_at >= least || std::ranges::any_of(family.codes, waits)) return false;
    for (const std::shared_ptr<TieredCode>& code : family.codes) {
      // Also of what was left again.
      if (code->code_) code_bytes_ -= code->code_->code_bytes();
      add_times(*code, stats_);
    }
    return true;
  });
}

void NativeTier::add_times(const TieredCode& code, TierStats& stats) {
  stats.sharing += code.sharing_;
  if (code.native_cases_ == 0) return;
  const f64 seconds = 1e-9 * static_cast<f64>(code.native_ns_);
  stats.native_cases += code.native_cases_;
  stats.native_seconds += seconds;
  if (code.company_ == Company::Crowd) {
    stats.kernel_cases += code.native_cases_;
    stats.kernel_seconds += seconds;
  }
  const f64 pace = code.vm_ns_a_tick();
  if (pace == 0) return;
  stats.known_native_seconds += seconds;
  stats.vm_seconds += 1e-9 * pace * static_cast<f64>(code.native_ticks_);
}

TierStats NativeTier::stats() const {
  const std::lock_guard lock(mutex_);
  TierStats stats = stats_;
  for_each_code([&](const TieredCode& code) { add_times(code, stats); });
  return stats;
}

std::vector<NativeRow> NativeTier::rows() const {
  const std::lock_guard lock(mutex_);
  std::vector<NativeRow> rows;
  for_each_code([&](const TieredCode& code) {
    if (code.is_native())
      rows.push_back({code.name_, code.shape_.instructions, code.native_cases_, code.sharing_,
                      code.compile_seconds_});
  });
  return rows;
}

std::vector<std::string> NativeTier::reasons() const {
  const std::lock_guard lock(mutex_);
  return reasons_;
}

std::vector<std::string> NativeTier::notes() const {
  {
    const std::lock_guard lock(mutex_);
    if (stats_.compiled + stats_.refused == 0) return {};
  }
  const Result<const backend::Backend*> backend = backend::open_backend();
  return backend.problem() ? std::vector<std::string>() : backend.value()->notes();
}

}  // namespace komuz::engine
