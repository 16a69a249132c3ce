// SPDX-License-Identifier: Apache-2.0
// `:native`: native code of what runs long in a session.
#include <algorithm>

#include "base/counts.h"
#include "engine/native/native_tier.h"
#include "repl/command_words.h"
#include "repl/commands.h"
#include "repl/session.h"
#include "services/results/native_listing.h"
#include "services/results/native_text.h"

namespace komuz::repl {

Answer Commands::native(const Input& words) {
  engine::NativeTier* const tier = session_.native();
  if (tier == nullptr) return refused(words, "this session makes no native code");
  const auto choice = std::ranges::find(engine::kNativeNames, words.text);
  if (choice != std::end(engine::kNativeNames))
    tier->choose(static_cast<engine::NativeChoice>(choice - std::begin(engine::kNativeNames)));
  if (choice != std::end(engine::kNativeNames) || words.text.empty()) {
    std::string text =
        "native code: " + std::string(engine::kNativeNames[static_cast<u8>(tier->choice())]) + "\n";
    if (tier->choice() != engine::NativeChoice::Never)
      text += services::native_text(*tier) + services::native_rows(*tier);
    return told(std::move(text));
  }
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return without_columns(words, answer);
  frontend::Compilation again;
  session_.compiler().compile(compiled.program, again);
  const std::vector<services::TextItem> items =
      services::list_items(session_.compiler(), compiled.program);
  Result<std::string> listing =
      services::native_listing(compiled.code.view(), compiled.function, compiled.program, items);
  if (listing.problem())
    return refused(words, "there is no native code of this: " + listing.problem().message());
  return of_constants(words, told(std::move(listing).value()));
}

}  // namespace komuz::repl
