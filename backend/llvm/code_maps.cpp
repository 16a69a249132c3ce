// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/code_maps.h"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <cstring>

#include "backend/llvm/gdb_objects.h"
#include "backend/llvm/perf_map.h"

namespace komuz::backend {
namespace {

// kz.fn.3.area → komuz::area, kz.EXP.f64 → komuz::EXP.f64. What calls the entry has most of its code, so it has its
// name.
std::string shown_name(llvm::StringRef symbol, const CodeMap& map) {
  const std::string lanes = map.lanes == 1 ? "" : "[" + std::to_string(map.lanes) + " lanes]";
  if (symbol == map.entry_symbol && !map.entry.empty()) return "komuz::" + map.entry + lanes;
  if (symbol.consume_front("kz.fn.")) return "komuz::" + symbol.split('.').second.str() + lanes;
  symbol.consume_front("kz.");
  return "komuz::" + symbol.str();
}

void note_functions(llvm::jitlink::LinkGraph& graph, CodeMap& map) {
  for (llvm::jitlink::Symbol* const symbol : graph.defined_symbols())
    if (symbol->hasName() && symbol->isCallable() && symbol->getSize() != 0)
      map.functions.push_back(
          {shown_name(symbol->getName(), map), symbol->getAddress().getValue(), symbol->getSize()});
  llvm::jitlink::Section* const unwind = graph.findSectionByName(".eh_frame");
  if (unwind == nullptr) return;
  const llvm::jitlink::SectionRange range(*unwind);
  map.unwind_address = range.getStart().getValue();
  map.unwind.assign(range.getSize(), 0);
  for (llvm::jitlink::Block* const block : unwind->blocks()) {
    const llvm::ArrayRef<char> bytes = block->getContent();
    std::memcpy(&map.unwind[block->getAddress() - range.getStart()], bytes.data(), bytes.size());
  }
}

class LinkWatch final : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  explicit LinkWatch(CodeMap& map) : map_(map) {}
  void modifyPassConfig(llvm::orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& passes) override {
    // Names of functions that others find by distance alone are no longer needed, and would be dropped.
    passes.PrePrunePasses.emplace_back([](llvm::jitlink::LinkGraph& graph) {
      for (llvm::jitlink::Symbol* const symbol : graph.defined_symbols())
        if (symbol->isCallable()) symbol->setLive(true);
      return llvm::Error::success();
    });
    passes.PostFixupPasses.emplace_back([this](llvm::jitlink::LinkGraph& graph) {
      note_functions(graph, map_);
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override {}

 private:
  CodeMap& map_;
};

}  // namespace

void watch_links(llvm::orc::LLJIT& jit, CodeMap& map) {
  if (map.maps == Maps::None) return;
  auto* const layer = llvm::dyn_cast<llvm::orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  if (layer != nullptr) layer->addPlugin(std::make_shared<LinkWatch>(map));
}

struct ToldCode::ForGdb {
  std::string object;
  JitCodeEntry entry;
};

ToldCode::ToldCode(const CodeMap& map) {
  if (map.functions.empty()) return;
  switch (map.maps) {
    case Maps::None: break;
    case Maps::Perf: append_perf_map(map.functions); break;
    case Maps::Gdb:
      gdb_ = std::make_unique<ForGdb>();
      gdb_->object = gdb_object(map);
      gdb_->entry.object = gdb_->object.data();
      gdb_->entry.bytes = gdb_->object.size();
      tell_gdb(gdb_->entry);
      break;
  }
}
ToldCode::~ToldCode() {
  if (gdb_ != nullptr) untell_gdb(gdb_->entry);
}

}  // namespace komuz::backend
