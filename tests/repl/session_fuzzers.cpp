// SPDX-License-Identifier: Apache-2.0
#include "tests/repl/session_fuzzers.h"

#include <nlohmann/json.hpp>

#include "engine/native/native_tier.h"
#include "repl/repl.h"
#include "tests/repl/input_writer.h"

namespace komuz::test {

namespace {

using nlohmann::json;
using repl::Repl;

// A session with files of its own, and all that it shows.
class Talk {
 public:
  explicit Talk(bool is_json, engine::NativeTier* native = nullptr)
      : repl_(nullptr, host(), {is_json, {}, {}},
              {[this](std::string_view part) { shown_ += part; },
               [this](std::string_view part) { shown_ += part; }}) {
    repl_.session().set_native(native);
    files["data.csv"] = InputWriter::kCases;
    for (const std::string_view input : InputWriter::kStart) static_cast<void>(tell(input));
  }
  std::string tell(std::string_view input, bool is_interrupted = false) {
    std::stop_source stop;
    if (is_interrupted) stop.request_stop();
    shown_.clear();
    repl_.add(input, "input", stop.get_token());
    repl_.end("input", stop.get_token());
    return shown_;
  }
  [[nodiscard]] const Repl& repl() const { return repl_; }

  std::map<std::string, std::string> files;

 private:
  repl::Host host() {
    repl::Host host;
    host.read_file = [this](const std::string& path) {
      const auto file = files.find(path);
      return file == files.end()
                 ? Result<std::string>(input_problem("error: there is no file `" + path + "`"))
                 : file->second;
    };
    host.read_cases = [read = host.read_file](const std::string& path, const engine::Watch&) {
      return read(path);
    };
    host.write_file = [this](const std::string& path, std::string_view text, auto) {
      files[path] = text;
      return Problem();
    };
    host.read_module = [](std::string_view) { return std::optional<std::string>(); };
    host.file_stamp = [](const std::string&) { return std::string(); };
    return host;
  }

  std::string shown_;
  Repl repl_;
};

// What the compiler says of itself.
std::string internal_fault(const std::string& shown) {
  return shown.find("please report") == std::string::npos ? "" : "an internal fault: " + shown;
}

// The fault in the objects of `count` inputs, the first of which has the number `first`.
std::string fault_of(const std::string& objects, u64 first, u64 count) {
  size_t at = 0;
  for (u64 id = first; id < first + count; ++id) {
    const size_t end = objects.find('\n', at);
    if (end == std::string::npos) return "an object is missing: " + objects;
    const json object = json::parse(objects.substr(at, end - at), nullptr, false);
    if (object.is_discarded()) return "no JSON: " + objects.substr(at, end - at);
    for (const char* const key : {"id", "value", "type", "fuel", "time_ns", "diagnostics"})
      if (!object.contains(key)) return std::string(key) + " is missing: " + object.dump();
    if (object["id"] != id) return "the id is not " + std::to_string(id) + ": " + object.dump();
    at = end + 1;
  }
  return at == objects.size() ? "" : "more than its objects: " + objects.substr(at);
}

// An object's statement about a value, apart from names and places.
std::string outcome(const std::string& object, const char* name = nullptr) {
  const json parsed = json::parse(object, nullptr, false);
  if (parsed.is_discarded()) return "no JSON: " + object;
  if (parsed.contains("trap")) return "trap " + parsed["trap"]["code"].get<std::string>();
  json value = parsed["value"], type = parsed["type"];
  if (value.is_null() && !parsed["diagnostics"].empty()) return "errors";
  if (name != nullptr && value.is_object()) {
    value = value[name];
    type = type[name];
  }
  return value.dump() + " " + type.dump();
}

}  // namespace

std::string SessionFuzzers::inputs(u64 seed) {
  InputWriter writer(seed);
  Random random(seed ^ 0x5E55);
  // LLVM takes milliseconds for each input.
  constexpr u64 kNativeEach = 6;
  engine::NativeTier tier(engine::NativeChoice::Always);
  Talk people(false, seed % kNativeEach == 0 ? &tier : nullptr), programs(true);
  std::string log;
  for (u32 k = 0; k < 20; ++k) {
    const std::string input = writer.any();
    const bool is_interrupted = random.one_in(20);
    log += input + (is_interrupted ? "   (interrupted)\n" : "\n");
    const u64 before = programs.repl().inputs();
    const std::string shown = people.tell(input, is_interrupted);
    const std::string objects = programs.tell(input, is_interrupted);
    const u64 count = programs.repl().inputs() - before;
    evaluated += count;
    failed += shown.find("error") != std::string::npos;
    if (const std::string fault = internal_fault(shown); !fault.empty()) return log + fault;
    if (people.repl().inputs() != programs.repl().inputs())
      return log + "one session took it for another number of inputs";
    if (people.repl().has_failed() != programs.repl().has_failed())
      return log + "it failed in one session, and not in the other:\n" + shown + objects;
    if (const std::string fault = fault_of(objects, before + 1, count); !fault.empty())
      return log + fault;
  }
  native_cases += tier.stats().native_cases;
  if (people.tell("40 + 2") != "42\n") return log + "40 + 2 is " + people.tell("40 + 2");
  if (outcome(programs.tell("40 + 2")) != "42 \"i64\"") return log + "40 + 2 is no 42 in JSON";
  const std::string known = people.tell(":list"), object = programs.tell(":list");
  if (known == json::parse(object)["text"].get<std::string>()) return {};
  return log + "the sessions know other things:\n" + known + object;
}

std::string SessionFuzzers::saved(u64 seed) {
  InputWriter writer(seed);
  Random random(seed ^ 0x5A7E);
  Talk first(false);
  std::string log;
  for (u32 k = 0; k < 12; ++k) {
    const std::string input = random.one_in(2) ? writer.item(k) : writer.binding(k);
    log += input + "\n";
    ++evaluated;
    first.tell(input);
  }
  static_cast<void>(first.tell(":save saved.komuz"));
  Talk second(false);
  const std::string& file = first.files["saved.komuz"];
  static_cast<void>(second.tell(":reset"));
  const std::string said = second.tell(file);
  const std::string wanted = first.tell(":list"), found = second.tell(":list");
  if (wanted == found) return {};
  return log + "---- saved\n" + file + "---- said\n" + said + "---- wanted\n" + wanted +
         "---- found\n" + found;
}

std::string SessionFuzzers::values(u64 seed) {
  InputWriter writer(seed);
  Talk talk(true);
  for (u32 k = 0; k < 8; ++k) {
    const std::string text = writer.expression();
    static_cast<void>(talk.tell("1.5"));  // what `it` is in all of them
    const std::string object = talk.tell(text), plain = outcome(object);
    if (const std::string fault = internal_fault(object); !fault.empty()) return text + fault;
    static_cast<void>(talk.tell("1.5"));
    const std::string bound = outcome(talk.tell("let bound = " + text), "bound");
    static_cast<void>(talk.tell("1.5"));
    const std::string inner = outcome(talk.tell("{ let t = " + text + "; k += 1; t }"));
    evaluated += 3;
    failed += plain == "errors";
    if (plain != bound || plain != inner)
      return text + "\nby itself: " + plain + "\nby `let`: " + bound +
             "\nbeside an assignment: " + inner;
  }
  return {};
}

}  // namespace komuz::test
