// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/frontend.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/group/serial.h"
#include "frontend_gpu/columns/workspace.h"
#include "frontend_gpu/doc_examples.h"
#include "frontend_gpu/expand.h"
#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/warnings.h"
#include "frontend_gpu/groups/phases.h"
#include "frontend_gpu/kept_programs.h"
#include "frontend_gpu/linkage.h"
#include "frontend_gpu/private_types.h"
#include "frontend_gpu/shared_spaces.h"
#include "frontend_gpu/stack_notes.h"
#include "frontend_gpu/text/source_text.h"
#include "frontend_gpu/tree/keep_heads.h"
#include "lang/check/check_code.h"

namespace komuz::frontend {

inline constexpr u32 kMaxTokens = 1u << 21;
inline constexpr u32 kMaxCode = 1u << 22;      // instructions: 48 MiB with their places
inline constexpr u64 kUnlimited = ~u64{0};     // work
inline constexpr u32 kMaxStackCells = 0xFFFF;  // bytes of a frame
inline constexpr u32 kMaxEntries = 0xFFFF;     // an entry's number has 16 bits in code

void Compilation::clear() {
  code.clear();
  diagnostics.clear();
  text.clear();
  identity = {};
  ok = false;
  stopped = false;
}

struct Compiler::Workspace {
  Options options;
  Columns columns{};
  ColumnMemory memory;
  PhaseValues values;
  KeptPrograms kept_programs;  // of compile_alike()
  WorkMeter meter;
  std::stop_token stop;
  std::unique_ptr<PhaseRunner> runner;
  std::unique_ptr<CompactRunner> compact;  // on the serial group
  Columns compact_columns{};
  bool is_compact = false;          // the columns are those of `compact`
  HeadKeeper head_keeper;           // of the programs in the compact columns
  const KeptHead* head = &kNoHead;  // of the program that is being compiled
  CodeChecker checker;
  Expansion expansion;
  bool is_expanded = false;  // the columns hold the expansion of a text
  Linkage linkage;
  bool infers_result = false;  // for the program that is being compiled
  ErrorLimits limits;          // for the program that is being compiled
  ByteMasksFunction byte_masks = best_byte_masks();
  bool identified = false;  // the columns hold the tokens of a text that was only identified so far
  TextHash identity;        // the identity of that text
  u64 identifying_work = 0;  // the work that identifying it took

  explicit Workspace(const Options& wanted)
      : options(wanted), runner(wanted.make_runner ? wanted.make_runner() : serial_runner()) {
    memory.poison = static_cast<bool>(wanted.make_runner);
    if (wanted.make_runner) return;
    columns.meter = compact_columns.meter = &meter;
    compact = compact_runner();
    const std::vector<void*> places = compact->columns();
    size_t k = 0;
#define COLUMN(list, Type, name) \
  compact_columns.name = static_cast<ColumnTypes::Type*>(places[k++]);
#include "frontend_gpu/columns/columns.def"
  }

  // Returns false if something went wrong between lanes.
  bool run(Phase phase) {
    values.extents = memory.extents;
    values.meter = columns.meter;
    values.head = head;
    if (is_compact) meter.count(compact_work(phase));
    PhaseRunner& own = is_compact ? *compact : *runner;
    const bool is_done = own.run(phase, columns, values);
    head = values.head;
    return is_done;
  }

  // Estimates how many elements a phase visits. The compact runner does not count its work itself.
  [[nodiscard]] u64 compact_work(Phase phase) const {
    constexpr u64 kAnalyse = 120, kOther = 8;  // for each token
    return u64{columns.tokens} * (phase == Phase::Analyse ? kAnalyse : kOther);
  }
  // Does work on a program that a stop or the budget may cut short; returns the reason if it was.
  template <class Work>
  std::optional<CutShort::Reason> cut_short(u64 work, Work do_work) {
    meter.begin(work, stop);
    try {
      do_work();
      return std::nullopt;
    } catch (const CutShort& cut) {
      identified = false;
      columns.tokens = columns.nodes = 0;
      head_keeper.forget();
      return cut.reason;
    }
  }

  // True for options with which the code follows from the program's own text alone.
  [[nodiscard]] bool may_keep_programs() const {
    return compact != nullptr && !options.is_harness && options.harness == kNoModule &&
           !options.examples;
  }
  // Keeps the program that has just been compiled, if it may be.
  void keep_program(u64 shape, const Compilation& out) {
    if (!may_keep_programs() || !is_compact || is_expanded || !out.ok || !out.diagnostics.empty())
      return;
    kept_programs.note(shape, columns, out, {values.hash_low, values.hash_high}, meter.work());
  }

  // What is left of a compilation that was cut short.
  void end_cut(CutShort::Reason reason, Compilation& out) const {
    out.clear();
    out.stopped = reason == CutShort::Reason::Stopped;
    if (out.stopped) return;
    out.identity = identity;
    out.diagnostics.push_back(over_budget(DiagnosticCode::OverWorkBudget, options.budget.work));
  }

  // A search for duplicates identifies a text and then compiles it. The tokens of the first step serve both.
  bool is_identified(std::string_view source) const {
    return identified && columns.bytes == source.size() &&
           std::memcmp(columns.source, source.data(), source.size()) == 0;
  }

  // Returns None, or the reason why compilation cannot go on.
  DiagnosticCode lex(std::string_view source) {
    identified = false;
    const bool was_compact = is_compact;
    is_compact = compact != nullptr && source.size() <= kCompactBytes;
    if (is_compact) {
      if (was_compact)  // the columns lie where they did
        static_cast<ColumnCounts&>(columns) = {};
      else
        columns = compact_columns;
      clear_flags(columns);
      memory.begin_text(columns, source);
      head = &head_keeper.begin(source);
      if (!find_tokens(kCompactTokens)) return DiagnosticCode::InternalRefused;
      is_compact = values.tokens_fit;
      if (!is_compact) head_keeper.forget();
    }
    if (!is_compact) {
      head = &kNoHead;
      memory.begin(columns, source);
      if (!find_tokens(kMaxTokens)) return DiagnosticCode::InternalRefused;
      if (!values.tokens_fit) return DiagnosticCode::TooManyTokens;
    }
    if (!run(Phase::ClassifyTokens)) return DiagnosticCode::InternalRefused;
    identity = {values.hash_low, values.hash_high ^ columns.tokens};
    return DiagnosticCode::None;
  }
  void identify(std::string_view source) {
    identified = false;
    if (source.size() > options.budget.bytes) return;
    if (check_text(source).code() != DiagnosticCode::None) return;
    identified = lex(source) == DiagnosticCode::None;
    identifying_work = meter.work();
  }
  bool find_tokens(u32 limit) {
    byte_masks(columns.source, columns.blocks, columns.masks);
    values = {};
    values.token_limit = std::min(limit, columns.bytes);
    return run(Phase::FindTokens);
  }

  bool analyse() {
    if (is_compact)
      columns.code_room = columns.traps_begin = compact_room::room;
    else
      memory.reserve_nodes(columns);
    if (infers_result) head = &kNoHead;
    if (is_compact) head_keeper.forget();  // until all passes have run
    return run(Phase::Analyse);
  }

  // Starts again in columns that can grow.
  bool widen() {
    is_compact = false;
    head_keeper.forget();
    head = &kNoHead;
    const std::string_view source(reinterpret_cast<const char*>(columns.source), columns.bytes);
    memory.begin(columns, source);
    return find_tokens(kMaxTokens) && run(Phase::ClassifyTokens) && analyse();
  }

  [[nodiscard]] u32 code_needed() const {
    return std::max({values.functions, values.traps, values.constants}) + kMaxOwnCode;
  }
  // The diagnostic for a program that is too large to have code; None if it is not too large.
  [[nodiscard]] Diagnostic refuse_size() const {
    const u32 code = values.functions + values.traps, entries = columns.entries + columns.traps;
    if (code > kMaxCode) return make_diagnostic(DiagnosticCode::TooMuchCode, 0, 0, code, kMaxCode);
    if (entries > kMaxEntries)
      return make_diagnostic(DiagnosticCode::TooManyEntries, 0, 0, entries, kMaxEntries);
    return {};
  }
  bool write_code(Compilation& out) {
    if (!run(Phase::WriteCode)) return false;
    if (const Diagnostic refused = refuse_size(); refused.code() != DiagnosticCode::None) {
      out.diagnostics.push_back(refused);
      columns.flags[kFailed] = 1;
      return true;
    }
    if (code_needed() <= columns.code_room) return true;
    const u32 needed = code_needed();
    if (is_compact && !widen()) return false;
    memory.reserve_code(columns, needed);
    return run(Phase::WriteCode);
  }

  // Makes code for a program without errors. Errors that only code shows are found here. Returns false if something
  // went wrong between lanes.
  bool generate(Compilation& out) {
    Columns& c = columns;
    if (!write_code(out)) return false;
    if (c.flags[kFailed] != 0) return true;
    if (!run(Phase::FinishCode)) return false;
    if (c.flags[kFailed] != 0) return true;
    Code& code = out.code;
    copy(c.instructions, values, c.traps_begin, code.instructions);
    copy(c.places, values, c.traps_begin, code.places);
    code.constants.assign(c.constants, c.constants + values.constants);
    make_header_room(code);
    if (!run(Phase::WriteHeaders)) return false;
    if (options.is_harness) return true;
    if (!linkage.link(options, heads(), source_text(), out)) {
      c.flags[kFailed] = 1;
      return true;
    }
    check(out);
    return true;
  }
  [[nodiscard]] std::span<const u32> heads() const {
    return is_expanded ? std::span<const u32>(expansion.heads()) : std::span<const u32>();
  }
  [[nodiscard]] std::string_view source_text() const {
    return {reinterpret_cast<const char*>(columns.source), columns.bytes};
  }
  static void refuse(DiagnosticCode code, Compilation& out) {
    out.clear();
    out.diagnostics.push_back(make_diagnostic(code));
  }
  // Appends the interfaces of modules to the text whose tokens the columns hold. Returns false if compilation
  // cannot go on.
  bool expand(std::string_view source, Compilation& out) {
    const Columns& c = columns;
    is_expanded = false;
    if (!names_modules(c)) return true;
    if (const Index t = find_public_use(c); t != kNone) {
      out.diagnostics.push_back(
          make_diagnostic(DiagnosticCode::PublicUse, c.token_start[t], c.token_length[t]));
      return false;
    }
    if (options.library == nullptr) return true;
    is_expanded = true;
    expansion.make(c, source, *options.library);
    const DiagnosticCode code = lex(expansion.text());
    if (code != DiagnosticCode::None) refuse(code, out);
    return code == DiagnosticCode::None;
  }
  // Compiles a text whose tokens the columns hold.
  void compile_tokens(std::string_view source, Compilation& out) {
    Columns& c = columns;
    identified = false;
    out.identity = identity;
    linkage.begin();
    if (!expand(source, out)) return;
    c.keeps_open = options.is_harness;
    c.is_plain = options.is_plain;
    c.infers_result = infers_result;
    if (c.tokens == 0) {
      out.diagnostics.push_back(make_diagnostic(DiagnosticCode::EmptyProgram));
      return;
    }
    if (!analyse()) return refuse(DiagnosticCode::InternalRefused, out);
    if (c.keeps_open && c.flags[kFailed] == 0) {
      find_private_types(c, out.diagnostics);
      if (!out.diagnostics.empty()) c.flags[kFailed] = 1;
    }
    if (c.flags[kFailed] == 0 && is_expanded) check_spaces(out);
    if (c.flags[kFailed] == 0 && !generate(out))
      return refuse(DiagnosticCode::InternalRefused, out);
    if ((c.flags[kFailed] | c.flags[kNoted]) != 0) {
      collect_diagnostics(c, limits, out.diagnostics);
      if (is_expanded || options.harness != kNoModule) {
        if (out.text.empty()) out.text = is_expanded ? expansion.text() : source;
        explain_modules(*options.library, options.harness, out.text, out.diagnostics);
      }
    }
    if (is_compact)
      head_keeper.end(c, *head,
                      c.flags[kFailed] == 0 && !linkage.is_linked() ? &out.code : nullptr);
    out.ok = c.flags[kFailed] == 0;
    if (out.ok) return;
    const auto is_stack_limit = [](const Diagnostic& d) {
      return d.code() == DiagnosticCode::StackLimit;
    };
    if (std::any_of(out.diagnostics.begin(), out.diagnostics.end(), is_stack_limit))
      note_stack(out.code.view(), c, options.stack_limit, out.diagnostics);
    out.code.clear();
  }
  void check_spaces(Compilation& out) {
    std::string text(expansion.text());
    check_shared_spaces(columns, *options.library, text, out.diagnostics);
    if (out.diagnostics.empty()) return;
    out.text = std::move(text);
    columns.flags[kFailed] = 1;
  }
  void compile_source(std::string_view source, Compilation& out) {
    if (is_identified(source)) {
      meter.count(identifying_work);
    } else {
      columns.tokens = 0;
      identified = false;
      if (const Diagnostic wrong = check_text(source); wrong.code() != DiagnosticCode::None) {
        out.diagnostics.push_back(wrong);
        return;
      }
      if (const DiagnosticCode code = lex(source); code != DiagnosticCode::None)
        return refuse(code, out);
    }
    compile_tokens(source, out);
    if (options.examples) compile_examples(source, out);
  }
  // A diagnostic holds 32 bits of a budget; larger budgets show as the largest number.
  [[nodiscard]] static Diagnostic over_budget(DiagnosticCode code, u64 budget) {
    return make_diagnostic(code, 0, 0, static_cast<u32>(std::min<u64>(budget, ~u32{0})));
  }
  // Compiles the text again with its doc examples as items. The first compilation has told where they stand.
  void compile_examples(std::string_view source, Compilation& out) {
    const OpenedExamples opened = open_examples(columns, source);
    if (!opened.text.empty()) {
      const TextHash plain = out.identity;
      out.clear();
      columns.nodes = 0;
      if (const DiagnosticCode code = lex(opened.text); code != DiagnosticCode::None)
        return refuse(code, out);
      compile_tokens(opened.text, out);
      out.identity = plain;
    }
    const size_t lost = std::min<size_t>(opened.lost.size(), limits.in_all);
    out.diagnostics.insert(out.diagnostics.end(), opened.lost.begin(),
                           opened.lost.begin() + static_cast<std::ptrdiff_t>(lost));
    if (columns.nodes != 0)
      note_suspicions(columns, static_cast<u32>(source.size()), out.diagnostics);
    std::stable_sort(out.diagnostics.begin(), out.diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.begin < b.begin; });
  }

  void make_header_room(Code& code) {
    const HeaderSizes& sizes = values.header_sizes;
    code.functions.resize(sizes.functions);
    code.names.resize(sizes.names);
    code.types.resize(sizes.types);
    code.slot_types.resize(sizes.slots);
    code.parameter_names.resize(sizes.parameters);
    values.header_rows = {code.functions.data(), code.names.data(), code.types.data(),
                          code.slot_types.data(), code.parameter_names.data()};
  }

  // Joins both regions of the code.
  template <class T>
  static void copy(const T* from, const PhaseValues& sizes, u32 traps, std::vector<T>& to) {
    to.assign(from, from + sizes.functions);
    to.insert(to.end(), from + traps, from + traps + sizes.traps);
  }

  void check(Compilation& out) {
    Columns& c = columns;
    meter.count(out.code.instructions.size());
    const CodeError error = checker.check(out.code.view(), out.code.functions, ~0u);
    if (error.is_height) {
      const Function& f = out.code.functions[error.function];
      out.diagnostics.push_back(make_diagnostic(DiagnosticCode::FrameTooLarge, f.place,
                                                f.name_end - f.name_begin, kMaxStackCells));
      c.flags[kFailed] = 1;
      return;
    }
    if (error) {
      out.diagnostics.push_back(make_diagnostic(DiagnosticCode::InternalRefused));
      c.flags[kFailed] = 1;
      return;
    }
    report_stack(out);
  }
  void report_stack(Compilation& out) {
    Columns& c = columns;
    if (const Diagnostic d = linkage.find_deep_harness(options, out);
        d.code() != DiagnosticCode::None) {
      out.diagnostics.push_back(d);
      c.flags[kFailed] = 1;
    }
    SerialGroup host;
    for (Index item = 0; item < c.items; ++item) {
      if (c.item_function[item] == kNone) continue;
      const u32 number = linkage.number_of(c.item_function[item]);
      if (number == kNoModule) continue;
      const u32 bytes = out.code.functions[number].stack_bytes;
      if (bytes > options.stack_limit)
        report(host, c, c.item_name[item], DiagnosticCode::StackLimit, bytes, options.stack_limit);
    }
  }
};

Compiler::Compiler(Options options) : workspace_(std::make_unique<Workspace>(options)) {}
Compiler::~Compiler() = default;
Compiler::Compiler(Compiler&&) noexcept = default;
Compiler& Compiler::operator=(Compiler&&) noexcept = default;

void Compiler::stop_when(std::stop_token stop) { workspace_->stop = std::move(stop); }
u64 Compiler::work() const { return workspace_->meter.work(); }

std::vector<std::string> Compiler::list_modules(std::string_view source) {
  Workspace& w = *workspace_;
  w.identified = false;
  std::vector<std::string> paths;
  if (source.find("use") == std::string_view::npos) return paths;
  (void)w.cut_short(kUnlimited, [&] {
    w.identify(source);
    if (w.identified) paths = list_paths(w.columns);
  });
  return paths;
}

Expanded Compiler::expand(std::string_view source, ExpandedText& out, TextHash& identity) {
  Workspace& w = *workspace_;
  (void)list_modules(source);
  if (!w.identified || !names_modules(w.columns)) return Expanded::No;
  if (find_public_use(w.columns) != kNone) return Expanded::Refused;
  if (w.options.library == nullptr) return Expanded::No;
  if (w.cut_short(kUnlimited, [&] { w.expansion.make(w.columns, source, *w.options.library); }))
    return Expanded::No;
  out.text = w.expansion.text();
  out.heads = w.expansion.heads();
  identity = w.identity;
  return Expanded::Yes;
}

void Compiler::compile_module(Module& module) {
  Workspace& w = *workspace_;
  Compilation out;
  compile(module.text, out);
  module.ok = out.ok;
  module.diagnostics = std::move(out.diagnostics);
  module.diagnosed = std::move(out.text);
  if (!out.ok) return;
  module.code = w.linkage.is_linked() ? std::move(w.linkage.unlinked()) : std::move(out.code);
  if (w.is_expanded) module.heads = w.expansion.heads();
  make_interface(w.columns, *w.options.library, module);
  share_spaces(w.columns, module);
}

std::optional<WrittenOut> Compiler::written_out(std::string_view source) const {
  const Workspace& w = *workspace_;
  if (!w.is_expanded || w.options.library == nullptr) return std::nullopt;
  return write_out_spaces(w.columns, source, *w.options.library);
}

const Columns& Compiler::columns() const { return workspace_->columns; }
std::string_view Compiler::fault() const { return workspace_->runner->fault(); }

TextHash Compiler::identify(std::string_view source) {
  Workspace& w = *workspace_;
  (void)w.cut_short(kUnlimited, [&] { w.identify(source); });
  return w.identified ? w.identity : TextHash{};
}

void Compiler::compile(std::string_view source, Compilation& out, ErrorLimits limits) {
  workspace_->infers_result = false;
  workspace_->limits = limits;
  compile_text(source, out);
}
void Compiler::compile_inferred(std::string_view source, Compilation& out) {
  workspace_->infers_result = true;
  workspace_->limits = {};
  compile_text(source, out);
}

void Compiler::compile_text(std::string_view source, Compilation& out) {
  Workspace& w = *workspace_;
  out.clear();
  w.columns.nodes = 0;
  const CompileBudget& budget = w.options.budget;
  if (source.size() > budget.bytes) {
    w.columns.tokens = 0;
    w.identified = false;
    out.diagnostics.push_back(w.over_budget(DiagnosticCode::OverByteBudget, budget.bytes));
    return;
  }
  const std::optional<CutShort::Reason> cut =
      w.cut_short(budget.work, [&] { w.compile_source(source, out); });
  if (cut) w.end_cut(*cut, out);
}

// A kept program that is this text with other numbers; null: there is none. The columns are not filled.
const KeptProgram* Compiler::take_kept(std::string_view source, u64 shape) {
  Workspace& w = *workspace_;
  if (!w.may_keep_programs() ||
      source.size() > std::min<u64>(w.options.budget.bytes, kCompactBytes))
    return nullptr;
  const KeptProgram* const kept = w.kept_programs.take(source, shape);
  if (kept == nullptr) return nullptr;
  w.identified = w.is_expanded = false;
  w.columns.tokens = w.columns.nodes = 0;
  w.identity = kept->identity();
  return kept;
}

TextHash Compiler::identify_alike(std::string_view source, u64 shape) {
  return take_kept(source, shape) != nullptr ? workspace_->identity : identify(source);
}

// A kept program counts as much work as compiling it did.
void Compiler::compile_alike(std::string_view source, u64 shape, Compilation& out) {
  Workspace& w = *workspace_;
  const KeptProgram* const kept = take_kept(source, shape);
  if (kept == nullptr) {
    compile(source, out);
    return w.keep_program(shape, out);
  }
  kept->write(out);
  if (const auto cut = w.cut_short(w.options.budget.work, [&] { w.meter.count(kept->work()); }))
    w.end_cut(*cut, out);
}

}  // namespace komuz::frontend
