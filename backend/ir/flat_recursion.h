// SPDX-License-Identifier: Apache-2.0
// Recursion as a loop, for machines on which a function that calls itself has no stack that is known to suffice: the
// functions of a cycle become one function, with an array of frames and a variable that says which is the last.
//
//   call of g      a frame behind the last one gets the arguments and the number of the call; on to g's first block
//   return         the frame gets the result; on to the block behind the call whose number the frame has
//
// What is used behind a call is in the frame, the rest in registers as before. How many frames there may be is known:
// who calls traps DEPTH before there are more.
#pragma once
#include <llvm/IR/Module.h>

#include <vector>

#include "lang/code.h"

namespace komuz::backend::ir {

// Functions that call each other, and how many of their calls may run at a time.
struct Cycle {
  std::vector<llvm::Function*> functions;
  u32 frames = 0;
};

// Functions outside call those of the cycle as before. Best behind passes that make registers of variables: each
// variable is a part of the frame.
void flatten_recursion(llvm::Module& module, const Cycle& cycle);

// The cycles of a program whose functions are these, by their numbers.
[[nodiscard]] std::vector<Cycle> cycles_of(const CodeView& code,
                                           const std::vector<llvm::Function*>& functions);

}  // namespace komuz::backend::ir
