// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/c_functions.h"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "backend/ir/object_reader.h"
#include "backend/ir/result_cells.h"

namespace komuz::backend::ir {
namespace {

// So much scratch memory is on the stack; more is of malloc.
constexpr u64 kMostScratchOnStack = 16u << 10;
// What rows are held to: a budget that is known now, or what the caller says.
enum class Limits : u8 { Fixed, OfCall };

// The functions for one function of C.
class CFunctionWriter {
 public:
  CFunctionWriter(const ProgramModule& module, const CFunction& f, u64 scratch_bytes,
                  llvm::GlobalVariable* places)
      : module_(module),
        w_(module.writer),
        f_(f),
        shape_(module.code, module.plan, f.function),
        scratch_bytes_(scratch_bytes),
        places_(places) {}

  void write() {
    rows_ = write_rows(write_kernel(Limits::Fixed), Limits::Fixed);
    write_one();
    if (f_.has_limits != 0) write_rows(write_kernel(Limits::OfCall), Limits::OfCall);
  }

 private:
  llvm::Type* pointer() { return w_.builder.getPtrTy(); }
  llvm::Value* integer(u64 n) { return w_.builder.getInt64(n); }
  std::span<const CObject> parameters() const { return {f_.parameters, f_.parameter_count}; }

  llvm::Function* open(const std::string& name, llvm::ArrayRef<llvm::Type*> takes,
                       llvm::GlobalValue::LinkageTypes linkage) {
    llvm::Function* const f = llvm::Function::Create(
        llvm::FunctionType::get(w_.builder.getInt32Ty(), takes, false), linkage, name, w_.module);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    w_.builder.SetInsertPoint(llvm::BasicBlock::Create(w_.context, "entry", f));
    return f;
  }
  // The objects that C passes, as pointers, and the traps.
  llvm::SmallVector<llvm::Type*, 16> pointers() {
    llvm::SmallVector<llvm::Type*, 16> types;
    for (const CObject& p : parameters())
      if (p.bytes != 0) types.push_back(pointer());
    if (f_.result.bytes != 0) types.push_back(pointer());
    types.push_back(pointer());
    return types;
  }
  llvm::Value* alloca_cells(size_t count) {
    return w_.builder.CreateAlloca(llvm::ArrayType::get(w_.builder.getInt64Ty(), count));
  }
  llvm::Value* row_of(llvm::Value* objects, const CObject& object, llvm::Value* row) {
    return w_.builder.CreateInBoundsPtrAdd(objects,
                                           w_.builder.CreateMul(row, integer(object.bytes)));
  }
  llvm::Value* trap_member(llvm::Value* trap, size_t offset) {
    return w_.builder.CreateInBoundsPtrAdd(trap, integer(offset));
  }

  // i32 (i64 n, objects…, traps, scratch): all rows, with plain floating-point arithmetic. With limits of the call: and
  // (i64 fuel, stop).
  llvm::Function* write_kernel(Limits limits) {
    const bool is_limited = limits == Limits::OfCall;
    llvm::SmallVector<llvm::Type*, 16> takes = pointers();
    takes.insert(takes.begin(), w_.builder.getInt64Ty());
    takes.push_back(pointer());
    if (is_limited) takes.append({w_.builder.getInt64Ty(), pointer()});
    llvm::Function* const kernel =
        open((is_limited ? "kz.within." : "kz.rows.") + std::string(f_.symbol), takes,
             llvm::GlobalValue::InternalLinkage);
    // Nothing of it may move before the place where its caller sets the processor's mode.
    kernel->addFnAttr(llvm::Attribute::NoInline);
    u32 argument = 1;
    std::vector<llvm::Value*> objects;
    for (const CObject& p : parameters())
      objects.push_back(p.bytes != 0 ? kernel->getArg(argument++) : nullptr);
    llvm::Value* const out = f_.result.bytes != 0 ? kernel->getArg(argument++) : nullptr;
    llvm::Value* const traps = kernel->getArg(argument++);
    llvm::Value* const scratch = kernel->getArg(argument++);
    llvm::Value* const fuel = is_limited ? kernel->getArg(argument++) : integer(f_.fuel);

    llvm::Value* const state = w_.builder.CreateAlloca(
        llvm::ArrayType::get(w_.builder.getInt64Ty(), sizeof(CaseState) / 8));
    w_.builder.CreateStore(scratch, state_member(w_, state, offsetof(CaseState, scratch)));
    w_.builder.CreateStore(w_.builder.getInt32(0),
                           state_member(w_, state, offsetof(CaseState, stop)));
    llvm::Value* const passed =
        shape_.parameters_in_memory ? alloca_cells(shape_.parameters.size()) : nullptr;
    llvm::Value* const returned =
        shape_.results_in_memory ? alloca_cells(shape_.results.size()) : nullptr;
    // The tick of the entry is taken here.
    llvm::Value* const rest = w_.builder.CreateSub(fuel, integer(1));
    llvm::Value* const slice = w_.builder.CreateSelect(
        w_.builder.CreateICmpULT(rest, integer(kSlice)), rest, integer(kSlice));
    llvm::Value* const reserve = w_.builder.CreateSub(rest, slice);
    llvm::BasicBlock* const entry = w_.builder.GetInsertBlock();
    llvm::BasicBlock* const body = w_.block("row");
    llvm::BasicBlock* const next = w_.block("next");
    llvm::BasicBlock* const done = w_.block("done");
    w_.builder.CreateCondBr(w_.builder.CreateICmpEQ(kernel->getArg(0), integer(0)), done, body);

    w_.builder.SetInsertPoint(body);
    llvm::PHINode* const row = w_.builder.CreatePHI(w_.builder.getInt64Ty(), 2);
    llvm::PHINode* const first = w_.builder.CreatePHI(w_.builder.getInt32Ty(), 2);
    row->addIncoming(integer(0), entry);
    first->addIncoming(w_.builder.getInt32(0), entry);
    llvm::BasicBlock* const ended = w_.block("ended");

    llvm::Value* const left_at = state_member(w_, state, offsetof(CaseState, left));
    llvm::Value* const reserve_at = state_member(w_, state, offsetof(CaseState, reserve));
    std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> words;
    llvm::BasicBlock* const trapped = w_.block("trapped");
    // Ends the row before its call where `condition` holds.
    const auto refuse_where = [&](llvm::Value* condition, u32 word) {
      llvm::BasicBlock* const refuse = w_.block("refuse");
      llvm::BasicBlock* const call = w_.block("call");
      w_.builder.CreateCondBr(condition, refuse, call);
      w_.builder.SetInsertPoint(refuse);
      w_.builder.CreateStore(fuel, left_at);
      w_.builder.CreateStore(integer(0), reserve_at);
      w_.builder.CreateBr(trapped);
      words.emplace_back(integer(word), refuse);
      w_.builder.SetInsertPoint(call);
    };
    if (is_limited) {
      llvm::LoadInst* const is_stopped =
          w_.builder.CreateLoad(w_.builder.getInt32Ty(), kernel->getArg(argument));
      is_stopped->setVolatile(true);
      refuse_where(w_.builder.CreateICmpNE(is_stopped, w_.builder.getInt32(0)), kStopped);
    }
    w_.builder.CreateStore(reserve, reserve_at);
    llvm::SmallVector<llvm::Value*, 16> given = {state, slice};
    if (shape_.has_top) given.push_back(integer(0));
    if (shape_.has_live) given.push_back(w_.builder.getInt32(1));
    if (returned != nullptr) given.push_back(returned);
    if (passed != nullptr) given.push_back(passed);
    const size_t fixed = given.size();
    if (passed == nullptr) given.resize(fixed + shape_.parameters.size());
    llvm::Value* bad = nullptr;
    u32 base = 0;
    for (size_t k = 0; k < objects.size(); ++k) {
      const CObject& p = f_.parameters[k];
      if (p.cells == 0) continue;
      ObjectReader reader(w_, p, row_of(objects[k], p, row),
                          std::span<const Scalar>(shape_.parameters).subspan(base, p.cells));
      if (llvm::Value* const is_bad = reader.is_bad(); is_bad != nullptr)
        bad = bad == nullptr ? is_bad : w_.builder.CreateOr(bad, is_bad);
      if (passed == nullptr)
        for (u32 cell = 0; cell < p.cells; ++cell) given[fixed + base + cell] = reader.cell(cell);
      else
        reader.store(w_.builder.CreateConstInBoundsGEP1_64(w_.builder.getInt64Ty(), passed, base));
      base += p.cells;
    }
    if (bad != nullptr) refuse_where(bad, kBadArgument);
    llvm::Value* const all = w_.builder.CreateCall(module_.functions[f_.function], given);
    const bool is_alone = shape_.results.empty() || shape_.results_in_memory;
    llvm::Value* const left = is_alone ? all : w_.builder.CreateExtractValue(all, 0);
    llvm::BasicBlock* const how = w_.block("how");
    llvm::BasicBlock* const good = w_.block("returned");
    w_.builder.CreateCondBr(w_.builder.CreateICmpSLT(left, integer(0)), how, good);
    w_.builder.SetInsertPoint(how);
    llvm::Value* const word = w_.builder.CreateLoad(
        w_.builder.getInt64Ty(), state_member(w_, state, offsetof(CaseState, ended)));
    w_.builder.CreateBr(trapped);

    w_.builder.SetInsertPoint(trapped);
    llvm::PHINode* const ends = w_.builder.CreatePHI(w_.builder.getInt64Ty(), 2);
    ends->addIncoming(word, how);
    for (const auto& [refusal, from] : words) ends->addIncoming(refusal, from);
    if (out != nullptr)
      w_.builder.CreateMemSet(row_of(out, f_.result, row), w_.builder.getInt8(0),
                              integer(f_.result.bytes), llvm::MaybeAlign(1));
    w_.builder.CreateBr(ended);
    llvm::BasicBlock* const from_trapped = w_.builder.GetInsertBlock();

    w_.builder.SetInsertPoint(good);
    w_.builder.CreateStore(left, left_at);
    if (out != nullptr) write_result(row_of(out, f_.result, row), returned, all);
    w_.builder.CreateBr(ended);
    llvm::BasicBlock* const from_good = w_.builder.GetInsertBlock();

    w_.builder.SetInsertPoint(ended);
    llvm::PHINode* const end = w_.builder.CreatePHI(w_.builder.getInt64Ty(), 2);
    end->addIncoming(ends, from_trapped);
    end->addIncoming(integer(0), from_good);
    llvm::Value* const trap =
        w_.builder.CreateAnd(w_.builder.CreateTrunc(end, w_.builder.getInt32Ty()), 0xFF);
    llvm::BasicBlock* const tell = w_.block("tell");
    w_.builder.CreateCondBr(w_.builder.CreateIsNull(traps), next, tell);
    w_.builder.SetInsertPoint(tell);
    llvm::Value* const at =
        w_.builder.CreateInBoundsPtrAdd(traps, w_.builder.CreateMul(row, integer(sizeof(CTrap))));
    llvm::Value* const unused =
        w_.builder.CreateAdd(w_.builder.CreateLoad(w_.builder.getInt64Ty(), left_at),
                             w_.builder.CreateLoad(w_.builder.getInt64Ty(), reserve_at));
    const auto store = [&](size_t offset, llvm::Value* value) {
      w_.builder.CreateAlignedStore(value, trap_member(at, offset), llvm::Align(1));
    };
    const auto part = [&](u32 shift) {
      return w_.builder.CreateTrunc(w_.builder.CreateLShr(end, shift), w_.builder.getInt32Ty());
    };
    store(offsetof(CTrap, ticks), w_.builder.CreateSub(fuel, unused));
    store(offsetof(CTrap, trap), trap);
    store(offsetof(CTrap, depth), w_.builder.CreateAnd(part(8), 0xFF'FFFF));
    store(offsetof(CTrap, place), part(32));
    for (const size_t offset :
         {offsetof(CTrap, line), offsetof(CTrap, column), offsetof(CTrap, file)})
      store(offset, w_.builder.getInt32(0));
    if (places_ == nullptr) {
      w_.builder.CreateBr(next);
    } else {
      llvm::BasicBlock* const place = w_.block("place");
      w_.builder.CreateCondBr(w_.builder.CreateICmpEQ(trap, w_.builder.getInt32(0)), next, place,
                              llvm::MDBuilder(w_.context).createLikelyBranchWeights());
      w_.builder.SetInsertPoint(place);
      write_place(end, store);
      w_.builder.CreateBr(next);
    }

    w_.builder.SetInsertPoint(next);
    llvm::Value* const now = w_.builder.CreateSelect(
        w_.builder.CreateICmpEQ(first, w_.builder.getInt32(0)), trap, first);
    llvm::Value* const following = w_.builder.CreateAdd(row, integer(1));
    row->addIncoming(following, next);
    first->addIncoming(now, next);
    w_.builder.CreateCondBr(w_.builder.CreateICmpULT(following, kernel->getArg(0)), body, done);
    w_.builder.SetInsertPoint(done);
    llvm::PHINode* const gives = w_.builder.CreatePHI(w_.builder.getInt32Ty(), 2);
    gives->addIncoming(w_.builder.getInt32(0), entry);
    gives->addIncoming(now, next);
    w_.builder.CreateRet(gives);
    return kernel;
  }

  // Where it trapped. Row 0 of the table is of what is no trap of an instruction.
  template <class Store>
  void write_place(llvm::Value* end, Store store) {
    static_assert(offsetof(SourcePlace, line) == 4 && offsetof(SourcePlace, column) == 8 &&
                  sizeof(SourcePlace) == 12);
    llvm::Value* const trap = w_.builder.CreateAnd(end, integer(0xFF));
    llvm::Value* const row = w_.builder.CreateSelect(
        w_.builder.CreateICmpULT(trap, integer(kBadArgument)),
        w_.builder.CreateAdd(w_.builder.CreateLShr(end, integer(32)), integer(1)), integer(0));
    const auto member = [&](u64 k) -> llvm::Value* {
      llvm::Value* const at =
          w_.builder.CreateAdd(w_.builder.CreateMul(row, integer(3)), integer(k));
      return w_.builder.CreateLoad(
          w_.builder.getInt32Ty(),
          w_.builder.CreateInBoundsGEP(w_.builder.getInt32Ty(), places_, at));
    };
    store(offsetof(CTrap, file), member(0));
    store(offsetof(CTrap, line), member(1));
    store(offsetof(CTrap, column), member(2));
  }

  // Stores the cells of the result as C lays them out. `returned`: where they are, or null; then they are in `all`.
  void write_result(llvm::Value* out, llvm::Value* returned, llvm::Value* all) {
    for (u32 n = 0; n < f_.result.run_count; ++n) {
      const CellRun& run = f_.result.runs[n];
      const Scalar type = shape_.results[run.first];
      const auto store = [&](llvm::Value* row, llvm::Value* k, llvm::Value* value) {
        llvm::Value* const bits = w_.builder.CreateTrunc(
            result_cell(value, type), w_.builder.getIntNTy(std::max(scalar_bits(type), u32{8})));
        w_.builder.CreateAlignedStore(bits, cell_address(w_, run, out, row, k), llvm::Align(1));
      };
      if (returned == nullptr) {
        for (u32 i = 0; i < run.rows * run.count; ++i)
          store(integer(i / run.count), integer(i % run.count),
                w_.builder.CreateExtractValue(all, run.first + i + 1));
        continue;
      }
      for_cells(
          w_, run, [](llvm::Value* row) { return row; },
          [&](llvm::Value* row, llvm::Value* k, llvm::Value*) {
            store(row, k,
                  w_.builder.CreateLoad(
                      w_.type(type), w_.builder.CreateInBoundsGEP(w_.builder.getInt64Ty(), returned,
                                                                  cell_number(w_, run, row, k))));
          });
    }
  }

  // What C declares for many rows: sees to scratch memory and to the processor's mode.
  llvm::Function* write_rows(llvm::Function* kernel, Limits limits) {
    const bool is_limited = limits == Limits::OfCall;
    llvm::SmallVector<llvm::Type*, 16> takes = pointers();
    takes.insert(takes.begin(), w_.builder.getInt64Ty());
    if (is_limited) takes.insert(takes.begin(), pointer());
    llvm::Function* const rows = open(std::string(f_.symbol) + (is_limited ? "_within" : "_rows"),
                                      takes, llvm::GlobalValue::ExternalLinkage);
    const bool on_heap = scratch_bytes_ > kMostScratchOnStack;
    // Variables of a fixed place stand in the first block.
    llvm::Value* scratch = llvm::ConstantPointerNull::get(w_.builder.getPtrTy());
    llvm::Value* const before = w_.builder.CreateAlloca(w_.builder.getInt32Ty());
    llvm::Value* const plain = w_.builder.CreateAlloca(w_.builder.getInt32Ty());
    if (scratch_bytes_ != 0 && !on_heap)
      scratch = w_.builder.CreateAlloca(
          llvm::ArrayType::get(w_.builder.getInt64Ty(), (scratch_bytes_ + 7) / 8));
    std::pair<llvm::Value*, llvm::Value*> held = {nullptr, nullptr};
    if (is_limited) held = read_limits(rows->getArg(0));
    if (on_heap) {
      llvm::Type* const i64 = w_.builder.getInt64Ty();
      scratch = w_.builder.CreateCall(w_.module.getOrInsertFunction("malloc", pointer(), i64),
                                      {integer(scratch_bytes_)});
      llvm::BasicBlock* const none = w_.block("no_memory");
      llvm::BasicBlock* const some = w_.block("memory");
      w_.builder.CreateCondBr(w_.builder.CreateIsNull(scratch), none, some);
      w_.builder.SetInsertPoint(none);
      w_.builder.CreateRet(w_.builder.getInt32(kNoMemory));
      w_.builder.SetInsertPoint(some);
    }
    // To nearest, with subnormal numbers: as a process has it at its start.
    w_.builder.CreateIntrinsic(w_.builder.getVoidTy(), llvm::Intrinsic::x86_sse_stmxcsr, {before});
    w_.builder.CreateStore(w_.builder.getInt32(0x1F80), plain);
    w_.builder.CreateIntrinsic(w_.builder.getVoidTy(), llvm::Intrinsic::x86_sse_ldmxcsr, {plain});
    llvm::SmallVector<llvm::Value*, 16> given;
    for (llvm::Argument& argument : llvm::drop_begin(rows->args(), is_limited ? 1 : 0))
      given.push_back(&argument);
    given.push_back(scratch);
    if (is_limited) given.append({held.first, held.second});
    llvm::Value* const result = w_.builder.CreateCall(kernel, given);
    w_.builder.CreateIntrinsic(w_.builder.getVoidTy(), llvm::Intrinsic::x86_sse_ldmxcsr, {before});
    if (on_heap)
      w_.builder.CreateCall(
          w_.module.getOrInsertFunction("free", w_.builder.getVoidTy(), pointer()), {scratch});
    w_.builder.CreateRet(result);
    return rows;
  }

  // The budget of a row, and what says that all are to end.
  std::pair<llvm::Value*, llvm::Value*> read_limits(llvm::Value* limits) {
    llvm::IntegerType* const i64 = w_.builder.getInt64Ty();
    llvm::BasicBlock* const entry = w_.builder.GetInsertBlock();
    llvm::BasicBlock* const some = w_.block("limits");
    llvm::BasicBlock* const known = w_.block("known");
    w_.builder.CreateCondBr(w_.builder.CreateIsNull(limits), known, some);
    w_.builder.SetInsertPoint(some);
    const auto member = [&](llvm::Type* type, size_t offset) {
      return w_.builder.CreateLoad(type, w_.builder.CreateInBoundsPtrAdd(limits, integer(offset)));
    };
    llvm::Value* const given_fuel = member(i64, offsetof(CLimits, fuel));
    constexpr u64 kMostFuel = u64{1} << 62;
    llvm::Value* const fuel_or_own = w_.builder.CreateSelect(
        w_.builder.CreateIsNull(given_fuel), integer(f_.fuel),
        w_.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, given_fuel, integer(kMostFuel)));
    llvm::Value* const given_stop = member(pointer(), offsetof(CLimits, stop));
    llvm::GlobalVariable* const never = never_stopped();
    llvm::Value* const stop_or_never =
        w_.builder.CreateSelect(w_.builder.CreateIsNull(given_stop), never, given_stop);
    w_.builder.CreateBr(known);
    w_.builder.SetInsertPoint(known);
    llvm::PHINode* const fuel = w_.builder.CreatePHI(i64, 2);
    fuel->addIncoming(integer(f_.fuel), entry);
    fuel->addIncoming(fuel_or_own, some);
    llvm::PHINode* const stop = w_.builder.CreatePHI(pointer(), 2);
    stop->addIncoming(never, entry);
    stop->addIncoming(stop_or_never, some);
    return {fuel, stop};
  }
  // A word that stays 0.
  llvm::GlobalVariable* never_stopped() {
    constexpr char kName[] = "kz.never_stopped";
    if (llvm::GlobalVariable* const known = w_.module.getNamedGlobal(kName)) return known;
    return new llvm::GlobalVariable(w_.module, w_.builder.getInt32Ty(), true,
                                    llvm::GlobalValue::InternalLinkage, w_.builder.getInt32(0),
                                    kName);
  }

  // What C declares for one call: scalars are passed themselves.
  void write_one() {
    llvm::SmallVector<llvm::Type*, 16> takes;
    const auto by_value = [&](const CObject& p, u32 cell) -> llvm::Type* {
      if (p.is_by_value == 0) return pointer();
      const Scalar type = shape_.parameters[cell];
      return type == Scalar::Bool ? w_.builder.getInt8Ty() : w_.type(type);
    };
    u32 cell = 0;
    for (const CObject& p : parameters()) {
      if (p.bytes != 0) takes.push_back(by_value(p, cell));
      cell += p.cells;
    }
    if (f_.result.bytes != 0) takes.push_back(pointer());
    takes.push_back(pointer());
    llvm::Function* const one = open(f_.symbol, takes, llvm::GlobalValue::ExternalLinkage);
    llvm::SmallVector<llvm::Value*, 16> given = {integer(1)};
    u32 argument = 0;
    for (const CObject& p : parameters()) {
      if (p.bytes == 0) continue;
      llvm::Value* const value = one->getArg(argument++);
      llvm::Value* object = value;
      if (p.is_by_value != 0) {
        object = w_.builder.CreateAlloca(value->getType());
        w_.builder.CreateStore(value, object);
      }
      given.push_back(object);
    }
    for (; argument < one->arg_size(); ++argument) given.push_back(one->getArg(argument));
    w_.builder.CreateRet(w_.builder.CreateCall(rows_, given));
  }

  const ProgramModule& module_;
  IrWriter& w_;
  const CFunction& f_;
  const CallShape shape_;
  const u64 scratch_bytes_;
  llvm::GlobalVariable* const places_;  // the table of places; null: nothing is known of them
  llvm::Function* rows_ = nullptr;
};

}  // namespace

llvm::GlobalVariable* write_place_table(const ProgramModule& module,
                                        std::span<const SourcePlace> places) {
  if (places.empty()) return nullptr;
  std::vector<u32> words(3, 0);
  for (const SourcePlace& place : places)
    words.insert(words.end(), {place.file, place.line, place.column});
  llvm::Constant* const table = llvm::ConstantDataArray::get(module.writer.context, words);
  return new llvm::GlobalVariable(module.writer.module, table->getType(), true,
                                  llvm::GlobalValue::InternalLinkage, table, "kz.places");
}

void write_c_functions(const ProgramModule& module, const CFunction& f, u64 scratch_bytes,
                       llvm::GlobalVariable* places) {
  CFunctionWriter(module, f, scratch_bytes, places).write();
}

u64 cells_alone(const CFunction& f) {
  u64 cells = cells_alone(f.result);
  for (u32 k = 0; k < f.parameter_count; ++k) cells += cells_alone(f.parameters[k]);
  return cells;
}

std::string name_taken(const llvm::Module& module, const CFunction& f) {
  for (const char* const own : {"malloc", "free", "memset", "memcpy", "memmove"})
    if (f.symbol == std::string_view(own))
      return "its own code calls `" + std::string(own) +
             "` of the C library, which no function can be called";
  for (const char* const ending : {"", "_rows", "_within", "_case"}) {
    const std::string name = f.symbol + std::string(ending);
    const llvm::Function* const found = module.getFunction(name);
    if (found != nullptr && found->isDeclaration())
      return "something else of its code is called `" + name + "`";
  }
  return {};
}

}  // namespace komuz::backend::ir
