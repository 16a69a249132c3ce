// SPDX-License-Identifier: Apache-2.0
#include "services/variants/propose_sketch.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/cases/signature.h"
#include "engine/sketch/sketch_program.h"
#include "frontend_gpu/frontend.h"
#include "lang/type_codes.h"
#include "lang/type_heads.h"
#include "lang/type_walk.h"
#include "services/format.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

// A parameter, or the result.
struct Value {
  std::string name;
  std::string type;              // as a program writes it
  Scalar scalar = Scalar::None;  // its own type, or that of its elements
  bool is_sequence = false;
  bool is_list = false;
  u64 capacity = 0;  // of a list or an array
};

bool is_number(Scalar type) { return type != Scalar::None && type != Scalar::Bool; }
std::string name_of(Scalar type) { return std::string(scalar_name(type)); }

std::optional<Value> value_of(std::string name, std::string_view code) {
  Value out{.name = std::move(name), .type = type_text(code, RecordText::Name)};
  if (code.size() == 1) {
    out.scalar = static_cast<Scalar>(code[0]);
    return out;
  }
  const TypeHead head = read_type_head(code, 0);
  const std::string_view element = code.substr(head.end);
  const bool is_known =
      head.code == kListCode || head.code == kArrayCode || head.code == kSliceCode;
  if (!is_known || element.size() != 1) return std::nullopt;
  out.scalar = static_cast<Scalar>(element[0]);
  out.is_sequence = true;
  out.is_list = head.code == kListCode;
  out.capacity = head.count;
  return out;
}

// Writes the program: the spaces that the function names, behind it.
class Proposal {
 public:
  Proposal(std::vector<Value> parameters, Value result, std::string name)
      : parameters_(std::move(parameters)), result_(std::move(result)), name_(std::move(name)) {}

  std::string write() {
    const std::string body = result_.is_sequence ? list_body() : scalar_body();
    std::string head = "pub fn " + name_ + "(" + list_of(parameters_) + ") -> " + result_.type;
    return "// A proposal: change whatever does not fit the problem.\n" + ready_text() + head +
           " {\n" + body + "\n}\n" + spaces_;
  }

 private:
  // The space of the standard library that takes these parameters, for who would rather list one than change one.
  [[nodiscard]] std::string ready_text() const {
    struct Ready {
      std::string_view parameters, result;  // the types
      std::string_view module, space;
    };
    static constexpr Ready kReady[] = {
        {"f64", "f64", "regression", "formula1"},
        {"f64, f64", "f64", "regression", "formula2"},
        {"f64, f64, f64", "f64", "regression", "formula3"},
        {"bool, bool", "bool", "logic", "logic2"},
        {"bool, bool, bool", "bool", "logic", "logic3"},
        {"bool, bool, bool, bool", "bool", "logic", "logic4"},
        {"[i64]", "i64", "lists", "number"},
        {"[i64]", "List[i64, 256]", "lists", "listed"},
        {"[u8]", "bool", "text", "condition"},
        {"[u8]", "i64", "bytes", "read"},
    };
    std::string types;
    for (const Value& value : parameters_) types += (types.empty() ? "" : ", ") + value.type;
    for (const Ready& ready : kReady)
      if (ready.parameters == types && ready.result == result_.type)
        return "// The standard library has a space for such functions: `use std.spaces." +
               std::string(ready.module) + ".{" + std::string(ready.space) + "};`, and `" +
               expand(std::string(ready.space), parameters_) + "`.\n";
    return {};
  }
  // A name that neither a parameter has nor anything before.
  [[nodiscard]] std::string free(const std::string& wanted) {
    std::string name = wanted;
    const auto is_taken = [&] {
      return name == name_ || std::ranges::find(taken_, name) != taken_.end() ||
             std::ranges::find(parameters_, name, &Value::name) != parameters_.end();
    };
    for (u32 k = 2; is_taken(); ++k) name = wanted + std::to_string(k);
    taken_.push_back(name);
    return name;
  }
  static std::string list_of(const std::vector<Value>& values) {
    std::string out;
    for (const Value& value : values)
      out += (out.empty() ? "" : ", ") + value.name + ": " + value.type;
    return out;
  }
  // `?s(x, y)`; a variable that is called `real` would be a hole of its own kind.
  static std::string expand(const std::string& space, const std::vector<Value>& values) {
    std::string out;
    for (const Value& value : values) {
      const bool is_word = value.name == "real" && values.size() == 1;
      out += (out.empty() ? "" : ", ") + (is_word ? "(" + value.name + ")" : value.name);
    }
    return "?" + space + "(" + out + ")";
  }
  void add_space(const std::string& comment, const std::string& name,
                 const std::vector<Value>& values, std::string_view type, u32 depth,
                 const std::vector<std::string>& alternatives) {
    spaces_ += "\n// " + comment + "\nspace " + name + "(" + list_of(values) + ") -> " +
               std::string(type) + " depth " + std::to_string(depth) + " {\n";
    for (const std::string& alternative : alternatives) spaces_ += "    " + alternative + ",\n";
    spaces_ += "}\n";
  }

  static std::vector<Value> scalars_of(const std::vector<Value>& values) {
    std::vector<Value> out;
    std::ranges::copy_if(values, std::back_inserter(out),
                         [](const Value& value) { return !value.is_sequence; });
    return out;
  }

  // A value as a number of a type.
  static std::string as_number(const Value& value, Scalar type) {
    if (value.scalar == type) return value.name;
    if (value.scalar == Scalar::Bool) {
      const bool is_fraction = is_float(type);
      return "if " + value.name + (is_fraction ? " { 1.0 } else { 0.0 }" : " { 1 } else { 0 }");
    }
    return name_of(type) + "(" + value.name + ")";
  }
  static std::string constants(Scalar type) {
    if (is_float(type)) return "?(-4.0..=4.0, steps: 17)";
    if (type == Scalar::U8) return "?[?(0..=9), ?(' '..='~')]";
    return "?(0..=9)";
  }

  // Numbers of numbers. `form`: which operators it gets.
  enum class Numbers : u8 { Formula, Condition, Element };
  std::string number_space(const std::string& name, const std::vector<Value>& values, Scalar type,
                           Numbers form) {
    std::vector<std::string> ways;
    const bool all_float =
        std::ranges::all_of(values, [](const Value& value) { return is_float(value.scalar); });
    for (const Value& value : values) ways.push_back(as_number(value, type));
    const bool is_fitted =
        is_float(type) && all_float && form == Numbers::Formula && !has_sequence();
    ways.push_back(is_fitted ? "?(real)" : constants(type));
    const auto both = [&](std::string_view op) {
      return name + " " + std::string(op) + " " + name;
    };
    const auto call = [&](std::string_view function) {
      return std::string(function) + "(" + name + ", " + name + ")";
    };
    u32 depth = has_sequence() ? 1 : 2;
    if (form != Numbers::Condition) {
      ways.push_back(both("+"));
      ways.push_back(both("-"));
      ways.push_back(both("*"));
      ways.push_back(call("div0"));
    } else if (is_float(type)) {
      ways.push_back("?[" + both("+") + ", " + both("-") + ", " + both("*") + "]");
    } else if (type != Scalar::U8) {  // sums of bytes would overflow
      ways.push_back("?[" + both("+") + ", " + both("-") + "]");
      ways.push_back(name + " % ?(2..=10)");
    }
    if (form == Numbers::Formula && is_float(type)) {
      ways.push_back("?[sqrt0(" + name + "), log0(" + name + "), exp(" + name + "), sin(" + name +
                     "), cos(" + name + "), abs(" + name + ")]");
      depth = has_sequence() ? 2 : 3;
    } else if (form == Numbers::Formula || form == Numbers::Element) {
      ways.push_back("?[min(" + name + ", " + name + "), max(" + name + ", " + name + ")]");
      if (!is_float(type)) ways.push_back(name + " % ?(2..=10)");
      if (form == Numbers::Element) depth = 1;
    } else {
      depth = 1;
    }
    if (type == Scalar::U8 && form == Numbers::Element)
      ways.push_back("?[to_lower(" + name + "), to_upper(" + name + ")]");
    add_space(form == Numbers::Condition ? "What conditions compare."
              : form == Numbers::Element ? "What is made of an element."
              : is_fitted                ? "Formulas, with numbers that a search fits to the cases."
                                         : "Numbers made of numbers.",
              name, values, name_of(type), depth, ways);
    return name;
  }

  // Conditions on values, with the spaces of what they compare.
  // With a depth of 0 it has no `&&` and `||`, but conditions and their opposites.
  std::string bool_space(const std::string& name, const std::string& compared, u32 depth,
                         const std::vector<Value>& values) {
    std::vector<std::string> ways;
    std::vector<Scalar> types;
    for (const Value& value : values) {
      if (value.scalar == Scalar::Bool)
        ways.push_back(depth != 0 ? value.name : "?[" + value.name + ", !" + value.name + "]");
      if (is_number(value.scalar) && std::ranges::find(types, value.scalar) == types.end())
        types.push_back(value.scalar);
      if (value.scalar == Scalar::U8)
        ways.push_back("?[is_digit(" + value.name + "), is_alpha(" + value.name + "), is_upper(" +
                       value.name + "), is_space(" + value.name + ")]");
    }
    for (const Scalar type : types) {
      const std::string numbers =
          types.size() == 1 ? compared : free(compared + "_" + name_of(type));
      std::vector<Value> own;
      std::ranges::copy_if(values, std::back_inserter(own),
                           [&](const Value& value) { return value.scalar == type; });
      const std::string one = expand(numbers, own);
      std::string comparisons = one + " < " + one;
      if (!is_float(type)) comparisons += ", " + one + " == " + one;
      if (!is_float(type) && depth == 0) comparisons += ", " + one + " != " + one;
      ways.push_back(is_float(type) ? comparisons : "?[" + comparisons + "]");
      waiting_.push_back({numbers, own, type});
    }
    if (depth != 0) {
      ways.push_back(name + " && " + name);
      ways.push_back(name + " || " + name);
      ways.push_back("!" + name);
    }
    add_space("Conditions.", name, values, "bool", depth, ways);
    std::vector<Waiting> waiting;
    std::swap(waiting, waiting_);
    for (const Waiting& one : waiting)
      number_space(one.name, one.values, one.type, Numbers::Condition);
    return name;
  }

  [[nodiscard]] bool has_sequence() const {
    return std::ranges::any_of(parameters_, &Value::is_sequence);
  }

  // The chain of the elements of a sequence that are kept: `xs.filter(x => ?keep(x))`. `element`: what an element is called.
  std::string kept_chain(const Value& sequence, const Value& element, const std::string& suffix) {
    const std::string keep = free("keep" + suffix);
    std::vector<Value> all = {element};
    for (const Value& value : scalars_of(parameters_)) all.push_back(value);
    std::string chain =
        sequence.name + ".filter(" + element.name + " => ?[true, " + expand(keep, all) + "])";
    bool_space(keep, free("compared" + suffix), 0, all);
    return chain;
  }
  // What becomes of an element, as a number: `?item(x)`.
  std::string element_of(const Value& element, Scalar type, const std::string& suffix) {
    if (type == Scalar::Bool) {
      const std::string is_so = free("is_so" + suffix);
      std::vector<Value> all = {element};
      for (const Value& value : scalars_of(parameters_)) all.push_back(value);
      bool_space(is_so, free("told" + suffix), 1, all);
      return expand(is_so, all);
    }
    const std::string item = free("item" + suffix);
    std::vector<Value> all = {element};
    for (const Value& value : scalars_of(parameters_)) all.push_back(value);
    number_space(item, all, type, Numbers::Element);
    return expand(item, all);
  }

  // A sequence is reduced to a number first; then it is a number among others.
  std::string scalar_body() {
    std::string body;
    std::vector<Value> values = scalars_of(parameters_);
    u32 number = 0;
    for (const Value& sequence : parameters_) {
      if (!sequence.is_sequence) continue;
      const std::string suffix = ++number == 1 ? "" : std::to_string(number);
      Value element{
          .name = free("e" + suffix), .type = name_of(sequence.scalar), .scalar = sequence.scalar};
      // Sums of bytes and of small integers would overflow.
      const Scalar type = is_number(result_.scalar) && result_.scalar != Scalar::U8 ? result_.scalar
                          : is_float(sequence.scalar) ? sequence.scalar
                                                      : Scalar::I64;
      Value reduced{.name = free("of_" + sequence.name), .type = name_of(type), .scalar = type};
      const std::string chain = kept_chain(sequence, element, suffix);
      const std::string made =
          chain + ".map(" + element.name + " => " + element_of(element, type, suffix) + ")";
      const auto converted = [&](const std::string& text) {
        return type == Scalar::I64 ? text : name_of(type) + "(" + text + ")";
      };
      body += "    let " + reduced.name + ": " + reduced.type + " = ?[" + made + ".sum(), " + made +
              ".max(), " + made + ".min(), " + converted(chain + ".count()") + "];\n";
      values.push_back(std::move(reduced));
      Value length{
          .name = free("length_of_" + sequence.name), .type = name_of(type), .scalar = type};
      body += "    let " + length.name + ": " + length.type + " = " +
              converted(sequence.name + ".len()") + ";\n";
      values.push_back(std::move(length));
    }
    if (result_.scalar == Scalar::Bool) {
      const std::string space = free("condition");
      bool_space(space, free("number"), 2, values);
      return body + "    " + expand(space, values);
    }
    const std::string space = free(is_float(result_.scalar) ? "formula" : "value");
    const bool has_bool = std::ranges::find(values, Scalar::Bool, &Value::scalar) != values.end();
    const bool has_choice = !is_float(result_.scalar) || has_bool;
    number_space(space, values, result_.scalar, Numbers::Formula);
    const std::string one = expand(space, values);
    if (!has_choice) return body + "    " + one;
    const std::string condition = free("condition");
    bool_space(condition, free("number"), 1, values);
    return body + "    ?[" + one + ", if " + expand(condition, values) + " { " + one +
           " } else { " + one + " }]";
  }

  // A list: of the elements of a sequence, or counted by an integer.
  std::string list_body() {
    const auto sequence = std::ranges::find_if(parameters_, &Value::is_sequence);
    const auto count = std::ranges::find_if(parameters_, [](const Value& value) {
      return !value.is_sequence && is_integer(value.scalar);
    });
    Value element;
    std::string chain;
    if (sequence != parameters_.end()) {
      element = {.name = free("e"), .type = name_of(sequence->scalar), .scalar = sequence->scalar};
      chain = kept_chain(*sequence, element, "");
    } else {
      element = {.name = free("i"), .type = "i64", .scalar = Scalar::I64};
      const std::string end = count == parameters_.end()     ? std::to_string(result_.capacity)
                              : count->scalar == Scalar::I64 ? count->name
                                                             : "i64(" + count->name + ")";
      chain = "(0.." + end + ")";
    }
    const std::string made =
        chain + ".map(" + element.name + " => " + element_of(element, result_.scalar, "") + ")";
    return "    " + made + ".list(" + std::to_string(result_.capacity) + ")";
  }

  struct Waiting {
    std::string name;
    std::vector<Value> values;
    Scalar type = Scalar::None;
  };
  std::vector<Value> parameters_;
  Value result_;
  std::string name_;
  std::string spaces_;
  std::vector<Waiting> waiting_;
  std::vector<std::string> taken_;
};

// "f" of "pub fn f(x: f64) -> f64"; "f" also where there is none.
std::string function_name(std::string_view signature) {
  const std::string_view head = signature.substr(0, signature.find('('));
  size_t end = head.find_last_not_of(' ') + 1, begin = end;
  while (begin > 0 && is_word_byte(head[begin - 1])) --begin;
  const std::string name(head.substr(begin, end - begin));
  return name.empty() || name == "fn" ? "f" : name;
}

}  // namespace

Result<std::string> propose_sketch(std::string_view signature) {
  const Result<engine::Signature> read = engine::read_signature(signature);
  if (read.problem())
    return input_problem("`" + std::string(signature) +
                         "` is no signature: " + read.problem().message())
        .with_remedy("write it as in a program, such as `fn(xs: [i64]) -> i64`");
  const engine::Signature& of = read.value();
  const auto refused = [](const std::string& type, const std::string& what) {
    return input_problem("there is no proposal for " + what + " of the type `" + type + "`")
        .with_remedy(
            "it is for numbers, bool, and slices, lists and arrays of these; a list is the only "
            "such result");
  };
  if (of.names.empty())
    return input_problem("a function without parameters has nothing to calculate from")
        .with_remedy("give the signature parameters, such as `fn(x: f64) -> f64`");
  std::vector<Value> parameters;
  for (size_t k = 0, at = 2; k < of.names.size(); ++k) {
    const size_t end = skip_type(of.parameter_types, at);
    const std::string_view code = std::string_view(of.parameter_types).substr(at, end - at);
    std::optional<Value> value = value_of(of.names[k], code);
    if (!value) return refused(type_text(code, RecordText::Name), "`" + of.names[k] + "`");
    parameters.push_back(std::move(*value));
    at = end;
  }
  std::optional<Value> result = value_of({}, of.result_type);
  if (!result || (result->is_sequence && !result->is_list))
    return refused(type_text(of.result_type, RecordText::Name), "a result");
  const std::string text =
      Proposal(std::move(parameters), std::move(*result), function_name(signature)).write();
  frontend::Compiler compiler;
  const Formatted formatted = format(compiler, text);
  // A parameter may hide what the proposal calls.
  const std::optional<engine::SketchProgram> sketch = engine::read_sketch(text, {});
  if (!formatted.ok || !sketch)
    return input_problem("the proposal for `" + std::string(signature) + "` does not compile")
        .with_remedy("give its parameters names that are no words of the language");
  return formatted.text;
}

}  // namespace komuz::services
