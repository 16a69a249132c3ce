// SPDX-License-Identifier: Apache-2.0
// The checker in a device's thread, on the code of whole programs: it accepts the same code as the host's, and finds
// out the same about it. Few programs exceed its room.
#include "frontend_gpu/device/device_check.h"

#include "tests/frontend/device_programs.h"
#include "tests/frontend/golden_modules.h"

namespace komuz::test {
namespace {

class DeviceCheck : public testing::Test {
 protected:
  // Code that the host has checked.
  void expect_same(const Code& code, std::string_view source) {
    std::vector<Function> functions = code.functions;
    for (Function& f : functions) f.max_stack = f.cycle = 0, f.stack_bytes = 0;
    const Checked checked = checker_.check(code.view(), functions, frontend::kNoStackLimit);
    EXPECT_NE(checked, Checked::Unsound) << source;
    ++(checked == Checked::Sound ? sound_ : without_room_);
    EXPECT_EQ(same_bytes(functions, code.functions), checked == Checked::Sound) << source;
  }
  void compile_and_expect(frontend::Compiler& compiler, std::string_view source) {
    compiler.compile(source, program_);
    if (program_.ok) expect_same(program_.code, source);
  }

  u32 sound_ = 0, without_room_ = 0;

 private:
  // u64: lists begin on multiples of 16 bytes.
  std::vector<u64> bytes_ =
      std::vector<u64>(frontend::DeviceChecker::bytes(frontend::check_room()) / 8);
  RowsMemory memory_{reinterpret_cast<u8*>(bytes_.data())};
  frontend::DeviceChecker checker_{memory_, frontend::check_room()};
  frontend::Compilation program_;
};

TEST_F(DeviceCheck, GoldenFiles) {
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  const std::vector<std::string> sources = golden_sources();
  for (const std::string& source : sources) modules.load(source);
  frontend::Compiler compiler({.examples = true, .library = &modules.library()});
  for (const std::string& source : sources) compile_and_expect(compiler, source);
  EXPECT_GT(sound_, 50u);
  EXPECT_LE(without_room_, sound_ / 50);
}

TEST_F(DeviceCheck, GeneratedPrograms) {
  frontend::Compiler compiler;
  for (u64 seed = 1; seed <= 600; ++seed) {
    gen::Options options;
    options.containers = seed % 3 != 0;
    options.chains = seed % 3 == 2;
    options.functions = static_cast<u32>(5 + seed % 20);
    compile_and_expect(compiler, gen::generate_program(seed, options));
  }
  EXPECT_GT(sound_, 500u);
  EXPECT_LE(without_room_, sound_ / 50);
}

}  // namespace
}  // namespace komuz::test
