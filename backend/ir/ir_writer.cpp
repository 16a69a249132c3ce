// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/ir_writer.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "lang/layout.h"

namespace komuz::backend::ir {
namespace {

thread_local IrWriter* writer_of_thread = nullptr;

llvm::IRBuilder<>& builder() { return IrWriter::current().builder; }

}  // namespace

IrWriter::IrWriter(llvm::Module& m, TargetTraits t, u32 l)
    : module(m),
      context(m.getContext()),
      builder(m.getContext()),
      traits(t),
      lanes(l),
      around_(writer_of_thread) {
  writer_of_thread = this;
}
IrWriter::~IrWriter() { writer_of_thread = around_; }
IrWriter& IrWriter::current() { return *writer_of_thread; }

llvm::Type* IrWriter::element_type(Type t) {
  switch (t) {
    case Type::Bool: return builder.getInt1Ty();
    case Type::I8: return builder.getInt8Ty();
    case Type::I16: return builder.getInt16Ty();
    case Type::I32: return builder.getInt32Ty();
    case Type::I64: return builder.getInt64Ty();
    case Type::F32: return builder.getFloatTy();
    case Type::F64: return builder.getDoubleTy();
  }
  return nullptr;
}
llvm::Type* IrWriter::type(Type t) {
  llvm::Type* const element = element_type(t);
  return lanes == 1 ? element : llvm::FixedVectorType::get(element, lanes);
}
llvm::Type* IrWriter::type(Scalar scalar) {
  switch (moved_as(scalar)) {
    case Scalar::Bool: return type(Type::Bool);
    case Scalar::None: break;
    case Scalar::U8: return type(Type::I8);
    case Scalar::I32:
    case Scalar::U32: return type(Type::I32);
    case Scalar::I64:
    case Scalar::U64: return type(Type::I64);
    case Scalar::F32: return type(Type::F32);
    case Scalar::F64: return type(Type::F64);
  }
  return nullptr;
}
llvm::Value* IrWriter::any(llvm::Value* mask) {
  if (lanes == 1) return mask;
  llvm::Type* const bits = builder.getIntNTy(lanes);
  return builder.CreateICmpNE(builder.CreateBitCast(mask, bits), llvm::ConstantInt::get(bits, 0));
}
llvm::Value* IrWriter::splat(llvm::Value* one) {
  return lanes == 1 ? one : builder.CreateVectorSplat(lanes, one);
}
llvm::BasicBlock* IrWriter::block(const char* name) {
  return llvm::BasicBlock::Create(context, name, function());
}

llvm::Value* constant(Type type, u64 bits) {
  IrWriter& w = IrWriter::current();
  llvm::Type* const t = w.type(type);
  switch (type) {
    case Type::F32:
      return llvm::ConstantFP::get(
          t, llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits)));
    case Type::F64:
      return llvm::ConstantFP::get(
          t, llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, bits)));
    default: {
      const unsigned width = t->getScalarSizeInBits();
      return llvm::ConstantInt::get(t, llvm::APInt(64, bits).trunc(width));
    }
  }
}

llvm::Value* binary(Binary op, llvm::Value* a, llvm::Value* b) {
  llvm::IRBuilder<>& w = builder();
  switch (op) {
    case Binary::Add: return w.CreateAdd(a, b);
    case Binary::Subtract: return w.CreateSub(a, b);
    case Binary::Multiply: return w.CreateMul(a, b);
    case Binary::DivideSigned: return w.CreateSDiv(a, b);
    case Binary::DivideUnsigned: return w.CreateUDiv(a, b);
    case Binary::And: return w.CreateAnd(a, b);
    case Binary::Or: return w.CreateOr(a, b);
    case Binary::Xor: return w.CreateXor(a, b);
    case Binary::ShiftLeft: return w.CreateShl(a, b);
    case Binary::ShiftRightSigned: return w.CreateAShr(a, b);
    case Binary::ShiftRightUnsigned: return w.CreateLShr(a, b);
    case Binary::AddFloat: return w.CreateFAdd(a, b);
    case Binary::SubtractFloat: return w.CreateFSub(a, b);
    case Binary::MultiplyFloat: return w.CreateFMul(a, b);
    case Binary::DivideFloat: return w.CreateFDiv(a, b);
  }
  return nullptr;
}

llvm::Value* relation(Relation r, bool is_signed, llvm::Value* a, llvm::Value* b) {
  using P = llvm::CmpInst::Predicate;
  struct Row {
    P of_floats, of_signed, of_unsigned;
  };
  static constexpr Row kRows[] = {
      {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},   {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE},
      {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT}, {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},
      {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT}, {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE}};
  const Row& row = kRows[static_cast<u8>(r)];
  if (a->getType()->isFPOrFPVectorTy()) return builder().CreateFCmp(row.of_floats, a, b);
  return builder().CreateICmp(is_signed ? row.of_signed : row.of_unsigned, a, b);
}

llvm::Value* negative(llvm::Value* x) { return builder().CreateFNeg(x); }
llvm::Value* select(llvm::Value* mask, llvm::Value* a, llvm::Value* b) {
  return builder().CreateSelect(mask, a, b);
}

llvm::Value* converted(llvm::Value* x, bool is_signed, Type to, bool to_signed) {
  llvm::IRBuilder<>& w = builder();
  llvm::Type* const t = IrWriter::current().type(to);
  const bool from_float = x->getType()->isFPOrFPVectorTy();
  if (from_float && t->isFPOrFPVectorTy()) return w.CreateFPCast(x, t);
  if (from_float) return to_signed ? w.CreateFPToSI(x, t) : w.CreateFPToUI(x, t);
  if (t->isFPOrFPVectorTy()) return is_signed ? w.CreateSIToFP(x, t) : w.CreateUIToFP(x, t);
  return w.CreateIntCast(x, t, is_signed);
}
llvm::Value* same_bits(llvm::Value* x, Type to) {
  return builder().CreateBitCast(x, IrWriter::current().type(to));
}
llvm::Value* square_root(llvm::Value* x) {
  return builder().CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
}
llvm::Value* fused(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return builder().CreateIntrinsic(a->getType(), llvm::Intrinsic::fma, {a, b, c});
}
llvm::Value* rounded(Rounding rounding, llvm::Value* x) {
  constexpr llvm::Intrinsic::ID kIntrinsics[] = {llvm::Intrinsic::roundeven, llvm::Intrinsic::floor,
                                                 llvm::Intrinsic::ceil, llvm::Intrinsic::trunc};
  return builder().CreateUnaryIntrinsic(kIntrinsics[static_cast<u8>(rounding)], x);
}
llvm::Value* count(Count kind, llvm::Value* x) {
  if (kind == Count::Ones) return builder().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x);
  // The second operand: zero has a result, too.
  return builder().CreateBinaryIntrinsic(
      kind == Count::LeadingZeros ? llvm::Intrinsic::ctlz : llvm::Intrinsic::cttz, x,
      builder().getFalse());
}
CheckedValue checked(Checked op, bool is_signed, llvm::Value* a, llvm::Value* b) {
  using namespace llvm::Intrinsic;
  constexpr llvm::Intrinsic::ID kSigned[] = {sadd_with_overflow, ssub_with_overflow,
                                             smul_with_overflow};
  constexpr llvm::Intrinsic::ID kUnsigned[] = {uadd_with_overflow, usub_with_overflow,
                                               umul_with_overflow};
  const u8 row = static_cast<u8>(op);
  llvm::Value* const both =
      builder().CreateBinaryIntrinsic(is_signed ? kSigned[row] : kUnsigned[row], a, b);
  return {builder().CreateExtractValue(both, 0), builder().CreateExtractValue(both, 1)};
}

llvm::Value* look_up(std::span<const u64> table, llvm::Value* index) {
  IrWriter& w = IrWriter::current();
  llvm::Constant* const rows =
      llvm::ConstantDataArray::get(w.context, llvm::ArrayRef(table.data(), table.size()));
  llvm::GlobalVariable* found = nullptr;
  for (llvm::GlobalVariable& global : w.module.globals())
    if (global.hasInitializer() && global.getInitializer() == rows) found = &global;
  if (found == nullptr) {
    found = new llvm::GlobalVariable(w.module, rows->getType(), true,
                                     llvm::GlobalValue::PrivateLinkage, rows, "kz.table");
    found->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  }
  llvm::Value* const row =
      w.builder.CreateInBoundsGEP(rows->getType(), found, {w.builder.getInt64(0), index});
  if (w.lanes == 1) return w.builder.CreateLoad(w.builder.getInt64Ty(), row);
  return w.builder.CreateMaskedGather(w.type(Type::I64), row, llvm::Align(8),
                                      constant(Type::Bool, 1));
}

bool is_constant(llvm::Value* x) { return llvm::isa<llvm::Constant>(x); }
bool known_integer(llvm::Value* x, i64& number) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(x);
  if (constant != nullptr && constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  const auto* const integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  if (integer == nullptr) return false;
  number = integer->getSExtValue();
  return true;
}
bool in_lanes() { return IrWriter::current().lanes != 1; }
bool target_converts() { return IrWriter::current().traits.converts; }
bool target_fuses() { return IrWriter::current().traits.fuses; }
bool target_rounds() { return IrWriter::current().traits.rounds; }

Step::Step(llvm::Value* mask, std::span<llvm::Value** const> changed) : changed_(changed) {
  IrWriter& w = IrWriter::current();
  for (size_t k = 0; k < changed.size(); ++k) before_[k] = *changed[k];
  from_ = w.builder.GetInsertBlock();
  llvm::BasicBlock* const step = w.block("step");
  end_ = w.block("step_end");
  w.builder.CreateCondBr(w.any(mask), step, end_);
  w.builder.SetInsertPoint(step);
}
void Step::close() {
  IrWriter& w = IrWriter::current();
  llvm::BasicBlock* const last = w.builder.GetInsertBlock();
  w.builder.CreateBr(end_);
  w.builder.SetInsertPoint(end_);
  for (size_t k = 0; k < changed_.size(); ++k) {
    llvm::Value*& value = *changed_[k];
    llvm::PHINode* const either = w.builder.CreatePHI(value->getType(), 2);
    either->addIncoming(before_[k], from_);
    either->addIncoming(value, last);
    value = either;
  }
}

Loop::Loop(std::span<llvm::Value** const> changed) : changed_(changed) {
  IrWriter& w = IrWriter::current();
  llvm::BasicBlock* const from = w.builder.GetInsertBlock();
  head_ = w.block("while");
  w.builder.CreateBr(head_);
  w.builder.SetInsertPoint(head_);
  for (size_t k = 0; k < changed.size(); ++k) {
    llvm::PHINode* const phi = w.builder.CreatePHI((*changed[k])->getType(), 2);
    phi->addIncoming(*changed[k], from);
    *changed[k] = phis_[k] = phi;
  }
}
void Loop::test(llvm::Value* mask) {
  IrWriter& w = IrWriter::current();
  llvm::BasicBlock* const body = w.block("do");
  end_ = w.block("while_end");
  w.builder.CreateCondBr(w.any(mask), body, end_);
  w.builder.SetInsertPoint(body);
}
void Loop::close() {
  IrWriter& w = IrWriter::current();
  llvm::BasicBlock* const last = w.builder.GetInsertBlock();
  for (size_t k = 0; k < changed_.size(); ++k) {
    llvm::cast<llvm::PHINode>(phis_[k])->addIncoming(*changed_[k], last);
    *changed_[k] = phis_[k];
  }
  w.builder.CreateBr(head_);
  w.builder.SetInsertPoint(end_);
}

}  // namespace komuz::backend::ir
