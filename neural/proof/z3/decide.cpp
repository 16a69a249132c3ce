// SPDX-License-Identifier: Apache-2.0
// Terms as Z3's, and the table of functions that komuz_prover.so exports (abi.h). A bool is Z3's Bool, any other term a bit
// vector, and a function an uninterpreted one.
//
// One question has one context. Nothing in it is freed before its end, and Z3's errors are codes: nothing is thrown.
#include <z3.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "neural/proof/abi.h"

namespace komuz::neural {
namespace {

// Of all contexts of the process, in MiB. A question that takes more is given up. Z3 has a limit for all that it does, too
// (memory_max_size), but 4.8.12 crashes after it was reached.
constexpr u64 kMostMemory = 1024;

const char* about() {
  static const std::string text = [] {
    unsigned major = 0, minor = 0, build = 0, revision = 0;
    Z3_get_version(&major, &minor, &build, &revision);
    return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." +
           std::to_string(build);
  }();
  return text.c_str();
}

// Interrupts a context when it is asked to; until it is destroyed.
class Watcher {
 public:
  Watcher(const AbiClaims& claims, Z3_context context) : claims_(claims), context_(context) {
    if (claims.is_stopped != nullptr) thread_ = std::thread([this] { watch(); });
  }
  ~Watcher() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(10), [this] { return is_done_; }))
      if (claims_.is_stopped(claims_.context) != 0) Z3_interrupt(context_);
  }

  const AbiClaims& claims_;
  Z3_context context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread thread_;
};

class Question {
 public:
  explicit Question(const AbiClaims& claims) : claims_(claims) {
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    context_ = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(context_, [](Z3_context, Z3_error_code) {});
  }
  ~Question() { Z3_del_context(context_); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  void decide(AbiDecision& out) {
    const Watcher watcher(claims_, context_);
    if (!translate()) return tell(out, "the solver does not take the question");
    Z3_solver solver = Z3_mk_solver_for_logic(
        context_, Z3_mk_string_symbol(context_, has_functions_ ? "QF_UFBV" : "QF_BV"));
    if (solver == nullptr || Z3_get_error_code(context_) != Z3_OK)
      return tell(out, Z3_get_error_msg(context_, Z3_get_error_code(context_)));
    Z3_solver_inc_ref(context_, solver);
    set_limits(solver);
    for (u64 k = 0; k < claims_.claim_count; ++k)
      Z3_solver_assert(context_, solver, made_[claims_.claims[k]]);
    ask(solver, out);
    Z3_solver_dec_ref(context_, solver);
  }

 private:
  static void tell(AbiDecision& out, const char* why) {
    out.decision = Decision::Unknown;
    std::strncpy(out.why, why, sizeof(out.why) - 1);
    out.why[sizeof(out.why) - 1] = 0;
  }

  void set_limits(Z3_solver solver) {
    Z3_params params = Z3_mk_params(context_);
    Z3_params_inc_ref(context_, params);
    const auto set = [&](const char* name, u64 value) {
      const unsigned most = ~0u;
      Z3_params_set_uint(context_, params, Z3_mk_string_symbol(context_, name),
                         value > most ? most : static_cast<unsigned>(value));
    };
    set("rlimit", claims_.resources);
    set("random_seed", 0);
    set("max_memory", kMostMemory);
    if (claims_.time_limit_ms != 0) set("timeout", claims_.time_limit_ms);
    Z3_solver_set_params(context_, solver, params);
    Z3_params_dec_ref(context_, params);
  }

  void ask(Z3_solver solver, AbiDecision& out) {
    const Z3_lbool answer = Z3_solver_check(context_, solver);
    out.resources = resources_of(solver);
    if (answer == Z3_L_FALSE) {
      out.decision = Decision::Impossible;
      return;
    }
    if (answer == Z3_L_UNDEF) {
      // Z3 says "canceled" for each of its limits.
      const char* why = Z3_solver_get_reason_unknown(context_, solver);
      if (why != nullptr && std::strcmp(why, "timeout") == 0) why = "the time limit has passed";
      if (out.resources >= claims_.resources) why = "the solver's resources are used up";
      const bool is_memory = why != nullptr && std::strstr(why, "memory") != nullptr;
      if (is_memory) why = "the solver's memory is used up";
      return tell(out, why != nullptr ? why : "the solver gave up");
    }
    Z3_model model = Z3_solver_get_model(context_, solver);
    if (model == nullptr) return tell(out, "the solver has no model");
    Z3_model_inc_ref(context_, model);
    out.decision = Decision::Possible;
    for (const Term t : variables_) out.variables[claims_.rows[t].number] = value_of(model, t);
    Z3_model_dec_ref(context_, model);
  }

  u64 value_of(Z3_model model, Term t) {
    Z3_ast value = nullptr;
    if (!Z3_model_eval(context_, model, made_[t], true, &value) || value == nullptr) return 0;
    if (claims_.rows[t].width == 1) return Z3_get_bool_value(context_, value) == Z3_L_TRUE ? 1 : 0;
    uint64_t number = 0;
    return Z3_get_numeral_uint64(context_, value, &number) ? number : 0;
  }

  u64 resources_of(Z3_solver solver) {
    Z3_stats stats = Z3_solver_get_statistics(context_, solver);
    if (stats == nullptr) return 0;
    Z3_stats_inc_ref(context_, stats);
    u64 found = 0;
    for (unsigned k = 0; k < Z3_stats_size(context_, stats); ++k)
      if (std::strcmp(Z3_stats_get_key(context_, stats, k), "rlimit count") == 0 &&
          Z3_stats_is_uint(context_, stats, k))
        found = Z3_stats_get_uint_value(context_, stats, k);
    Z3_stats_dec_ref(context_, stats);
    return found;
  }

  // What the claims are made of: operands come first.
  // False: Z3 takes a term for none of its own, or has no memory for it.
  bool translate() {
    std::vector<bool> needed(claims_.row_count);
    for (u64 k = 0; k < claims_.claim_count; ++k) needed[claims_.claims[k]] = true;
    for (size_t t = needed.size(); t-- > 1;) {
      if (!needed[t]) continue;
      const TermRow& row = claims_.rows[t];
      if (row.op == TermOp::Function)
        for (u32 k = 0; k < row.b; ++k) needed[claims_.arguments[row.a + k]] = true;
      else
        for (const Term x : {row.a, row.b, row.c}) needed[x] = true;
    }
    made_.resize(claims_.row_count);
    declared_.resize(claims_.function_count);
    for (Term t = 1; t < claims_.row_count; ++t) {
      if (!needed[t]) continue;
      made_[t] = translated(t, claims_.rows[t]);
      if (made_[t] == nullptr || Z3_get_error_code(context_) != Z3_OK) return false;
    }
    return true;
  }

  Z3_sort sort(u32 width) {
    return width == 1 ? Z3_mk_bool_sort(context_) : Z3_mk_bv_sort(context_, width);
  }

  Z3_ast application(const TermRow& row) {
    std::vector<Z3_ast> arguments;
    std::vector<Z3_sort> sorts;
    for (u32 k = 0; k < row.b; ++k) {
      const Term x = claims_.arguments[row.a + k];
      arguments.push_back(made_[x]);
      sorts.push_back(sort(claims_.rows[x].width));
    }
    Z3_func_decl& declared = declared_[row.number];
    if (declared == nullptr)
      declared = Z3_mk_func_decl(context_, Z3_mk_int_symbol(context_, static_cast<int>(row.number)),
                                 row.b, sorts.data(), sort(row.width));
    has_functions_ = true;
    return Z3_mk_app(context_, declared, row.b, arguments.data());
  }

  Z3_ast bit(Z3_ast x, u32 place) {
    return Z3_mk_eq(context_, Z3_mk_extract(context_, place, place, x),
                    Z3_mk_unsigned_int64(context_, 1, sort_of_bits(1)));
  }
  Z3_sort sort_of_bits(u32 width) { return Z3_mk_bv_sort(context_, width); }

  // Does a signed product of w bits overflow? With w + 1 bits it does if the two highest ones differ, or if both magnitudes together
  // have more bits than that (Schulte, Balzola, Akkas and Brocato, "Integer multiplication with overflow detection or
  // saturation", 2000). Z3 4.8.12 has a predicate of its own, which is wrong for negative factors: it says that -1 * -1 overflows.
  Z3_ast signed_overflow(Z3_ast x, Z3_ast y, u32 width) {
    Z3_context c = context_;
    const Z3_ast product = Z3_mk_bvmul(c, Z3_mk_sign_ext(c, 1, x), Z3_mk_sign_ext(c, 1, y));
    Z3_ast found = Z3_mk_xor(c, bit(product, width), bit(product, width - 1));
    const auto magnitude = [&](Z3_ast number) {
      const Z3_ast places = Z3_mk_unsigned_int64(c, width - 1, sort_of_bits(width));
      return Z3_mk_bvxor(c, number, Z3_mk_bvashr(c, number, places));
    };
    const Z3_ast a = magnitude(x), b = magnitude(y);
    Z3_ast any_high = Z3_mk_false(c);  // of b, from place width - 1 - i on
    for (u32 i = 1; i + 1 < width; ++i) {
      const Z3_ast high[] = {any_high, bit(b, width - 1 - i)};
      any_high = Z3_mk_or(c, 2, high);
      const Z3_ast many[] = {bit(a, i), any_high};
      const Z3_ast either[] = {found, Z3_mk_and(c, 2, many)};
      found = Z3_mk_or(c, 2, either);
    }
    return found;
  }

  Z3_ast translated(Term t, const TermRow& row) {
    Z3_context c = context_;
    const Z3_ast x = row.op == TermOp::Function ? nullptr : made_[row.a];
    const Z3_ast y = row.op == TermOp::Function ? nullptr : made_[row.b];
    const Z3_ast both[] = {x, y};
    const bool is_bool = row.width == 1;
    const u32 from = row.op == TermOp::Function ? 0 : claims_.rows[row.a].width;
    switch (row.op) {
      case TermOp::None: return nullptr;
      case TermOp::Constant:
        if (is_bool) return row.value != 0 ? Z3_mk_true(c) : Z3_mk_false(c);
        return Z3_mk_unsigned_int64(c, row.value, sort(row.width));
      case TermOp::Variable: {
        variables_.push_back(t);
        const std::string name = "x" + std::to_string(row.number);
        return Z3_mk_const(c, Z3_mk_string_symbol(c, name.c_str()), sort(row.width));
      }
      case TermOp::Not: return is_bool ? Z3_mk_not(c, x) : Z3_mk_bvnot(c, x);
      case TermOp::And: return is_bool ? Z3_mk_and(c, 2, both) : Z3_mk_bvand(c, x, y);
      case TermOp::Or: return is_bool ? Z3_mk_or(c, 2, both) : Z3_mk_bvor(c, x, y);
      case TermOp::Xor: return is_bool ? Z3_mk_xor(c, x, y) : Z3_mk_bvxor(c, x, y);
      case TermOp::Add: return Z3_mk_bvadd(c, x, y);
      case TermOp::Subtract: return Z3_mk_bvsub(c, x, y);
      case TermOp::Multiply: return Z3_mk_bvmul(c, x, y);
      case TermOp::DivideUnsigned: return Z3_mk_bvudiv(c, x, y);
      case TermOp::DivideSigned: return Z3_mk_bvsdiv(c, x, y);
      case TermOp::ShiftLeft: return Z3_mk_bvshl(c, x, y);
      case TermOp::ShiftRight: return Z3_mk_bvlshr(c, x, y);
      case TermOp::ShiftRightSigned: return Z3_mk_bvashr(c, x, y);
      case TermOp::Equal: return Z3_mk_eq(c, x, y);
      case TermOp::LessUnsigned: return Z3_mk_bvult(c, x, y);
      case TermOp::LessSigned: return Z3_mk_bvslt(c, x, y);
      case TermOp::OverflowsUnsigned: return Z3_mk_not(c, Z3_mk_bvmul_no_overflow(c, x, y, false));
      case TermOp::OverflowsSigned: return signed_overflow(x, y, from);
      case TermOp::Select: return Z3_mk_ite(c, x, y, made_[row.c]);
      case TermOp::Truncate: return Z3_mk_extract(c, row.width - 1, 0, x);
      case TermOp::ExtendZero: return Z3_mk_zero_ext(c, row.width - from, x);
      case TermOp::ExtendSign: return Z3_mk_sign_ext(c, row.width - from, x);
      case TermOp::Function: return application(row);
    }
    return nullptr;
  }

  const AbiClaims& claims_;
  Z3_context context_ = nullptr;
  std::vector<Z3_ast> made_;            // by term
  std::vector<Z3_func_decl> declared_;  // by function
  std::vector<Term> variables_;
  bool has_functions_ = false;
};

void decide(const AbiClaims* claims, AbiDecision* out) { Question(*claims).decide(*out); }

}  // namespace
}  // namespace komuz::neural

extern "C" __attribute__((visibility("default"))) const komuz::neural::AbiProver komuz_prover;
const komuz::neural::AbiProver komuz_prover = {komuz::neural::kProverVersion, 0,
                                               komuz::neural::about, komuz::neural::decide};
