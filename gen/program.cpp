// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gen/gen.h"
#include "gen/statements.h"
#include "gen/values.h"
#include "lang/traps.h"

namespace komuz::gen {

namespace {

constexpr Trap kTraps[] = {
#define TRAP(Name, number, spelling, sentence) Trap::Name,
#include "lang/traps.def"
};

class ProgramWriter {
 public:
  ProgramWriter(u64 seed, const Options& options) : random_(seed), options_(options) {
    scope_.containers = options.containers;
    scope_.chains = options.containers && options.chains;
    scope_.holes = options.holes;
  }

  std::string write() {
    for (u32 k = random_.below(4); k > 0; --k) random_.below(2) != 0 ? record() : sum();
    for (u32 k = 0; k < options_.constants; ++k) constant(k);
    constants_ = scope_.variables.size();
    if (options_.holes)
      for (u32 k = random_.below(3); k > 0; --k) space();
    const u32 count = std::clamp(options_.functions, 1u, 48u);
    for (u32 done = 0, cycle = 0; done < count;) {
      const u32 left = count - done;
      if (!random_.one_in(3)) {
        function(signature(done, 0), 0, left == 1);
        ++done;
        continue;
      }
      // A cycle of one or two functions with the same bound.
      ++cycle;
      const u32 size = left > 1 ? 1 + random_.below(2) : 1;
      const u32 bound = 2 + random_.below(10);
      const size_t first = scope_.functions.size();
      for (u32 k = 0; k < size; ++k) scope_.functions.push_back(signature(done + k, cycle));
      for (u32 k = 0; k < size; ++k)
        function(scope_.functions[first + k], bound, done + k + 1 == count);
      done += size;
    }
    if (options_.tests) {
      test();
      property();
    }
    return std::move(out_);
  }

 private:
  // A record may hold the records before it.
  void record() {
    const std::string name = "R" + std::to_string(scope_.made.size());
    const u32 count = 1 + random_.below(3);
    TypeCode code{static_cast<char>(kRecordCode), static_cast<char>(count)}, types;
    append_type_name(code, name);
    out_ += "type " + name + " = " + name + "(";
    for (u32 k = 0; k < count; ++k) {
      const std::string field(1, static_cast<char>('x' + k));
      append_type_name(code, field);
      const TypeCode type = scope_.random_type(random_);
      out_ += (k != 0 ? ", " : "") + field + ": " + spelled(type);
      types += type;
    }
    out_ += ");\n";
    scope_.made.push_back(code + types);
  }
  // One to four alternatives, some without fields. A sum is so small that a record of several of them is not too
  // large a type.
  void sum() {
    const std::string number = std::to_string(scope_.made.size()), name = "S" + number;
    const u32 count = 1 + random_.below(4);
    TypeCode code{static_cast<char>(kSumCode), static_cast<char>(count)}, types;
    append_type_name(code, name);
    std::vector<std::string> alternatives;
    for (u32 k = 0; k < count; ++k) {
      const std::string own(1, static_cast<char>('A' + k));
      append_type_name(code, own + number);
      std::vector<std::string> fields;
      for (u32 left = random_.below(3); left > 0; --left) {
        TypeCode type = scope_.random_type(random_);
        if (count_cells(type) > 12) type = scalar_code(random_scalar(random_));
        const std::string field(1, static_cast<char>('x' + fields.size()));
        fields.push_back(field + ": " + spelled(type));
        types += type;
      }
      code += static_cast<char>(fields.size());
      for (size_t f = 0; f < fields.size(); ++f)
        append_type_name(code, std::string(1, static_cast<char>('x' + f)));
      alternatives.push_back(own + number +
                             (fields.empty() ? "" : "(" + joined(fields, ", ") + ")"));
    }
    out_ += "type " + name + " = " + (count == 1 ? "| " : "") + joined(alternatives, " | ") + ";\n";
    scope_.made.push_back(code + types);
  }

  void constant(u32 number) {
    ExpressionWriter expressions(random_, scope_);
    expressions.only_constants(true);
    const TypeCode type = scope_.random_type(random_);
    const std::string name = "K" + std::to_string(number);
    out_ +=
        "const " + name + ": " + spelled(type) + " = " + expressions.write(type, 2).text + ";\n";
    scope_.variables.push_back({name, type, false});
  }

  // A space of numbers. Its alternatives are parameters, literals, the usual parts of other expressions, and the
  // space itself.
  void space() {
    const TypeCode type = scalar_code(random_scalar(random_, type_set::kNumber));
    SpaceSignature space{"s" + std::to_string(scope_.spaces.size()), {}, type};
    out_ += "space " + space.name + "(";
    for (u32 k = random_.below(3); k > 0; --k) {
      const std::string name = "q" + std::to_string(space.parameters.size());
      const TypeCode parameter = random_.below(2) != 0 ? type : scope_.random_type(random_);
      out_ += (space.parameters.empty() ? "" : ", ") + name + ": " + spelled(parameter);
      scope_.variables.push_back({name, parameter, false});
      space.parameters.push_back(parameter);
    }
    out_ += ") -> " + spelled(type) + " depth " + std::to_string(random_.below(3)) + " {\n";
    ExpressionWriter expressions(random_, scope_);
    const auto alternative = [&](const std::string& text) { out_ += "    " + text + ",\n"; };
    for (u32 k = 1 + random_.below(3); k > 0; --k) alternative(expressions.write(type, 2).text);
    const std::string& own = space.name;
    for (const std::string& text :
         {own + " + " + own, "max(" + own + ", " + expressions.write(type, 1).text + ")",
          "if " + own + " > " + own + " { " + own + " } else { " + expressions.write(type, 1).text +
              " }"})
      if (random_.below(2) != 0) alternative(text);
    out_ += "}\n";
    scope_.variables.resize(constants_);
    scope_.spaces.push_back(std::move(space));
  }

  Signature signature(u32 number, u32 cycle) {
    Signature f{"f" + std::to_string(number), {}, scope_.random_type(random_), cycle};
    if (cycle != 0) f.parameters.push_back(scalar_code(Scalar::I64));
    for (u32 k = random_.below(4); k > 0; --k)
      f.parameters.push_back(options_.containers && random_.one_in(5)
                                 ? slice_code(scope_.random_held(random_, 6))
                                 : scope_.random_type(random_));
    return f;
  }

  void function(const Signature& written, u32 bound, bool visible) {
    const Signature f = written;
    out_ += std::string(visible ? "pub " : "") + "fn " + f.name + "(";
    for (size_t k = 0; k < f.parameters.size(); ++k) {
      const std::string name = f.cycle != 0 && k == 0 ? "n" : "p" + std::to_string(k);
      if (k != 0) out_ += ", ";
      out_ += name + ": " + spelled(f.parameters[k]);
      scope_.variables.push_back({name, f.parameters[k], false});
    }
    out_ += ") -> " + spelled(f.result);
    if (bound != 0) out_ += " rec " + std::to_string(bound);
    out_ += " {\n";
    scope_.cycle = f.cycle;
    StatementWriter statements(random_, scope_, options_);
    if (f.cycle != 0) {
      // The value that ends the recursion. Sometimes the recursion goes on until DEPTH.
      std::vector<Signature> hidden;
      hidden.swap(scope_.functions);
      ExpressionWriter plain(random_, scope_);
      out_ += "    if n < " + std::to_string(random_.one_in(8) ? -5 : 1) + " { return " +
              plain.write(f.result, 1).text + " }\n";
      hidden.swap(scope_.functions);
    }
    out_ += statements.body(f.result) + "}\n";
    scope_.variables.resize(constants_);
    if (f.cycle == 0) scope_.functions.push_back(f);
  }

  void test() {
    scope_.cycle = 0;
    out_ += "test \"generated // " + std::to_string(random_.below(1000)) + "\" {\n";
    // The argument of `traps` sees no locals.
    const size_t functions = scope_.functions.size();
    ExpressionWriter expressions(random_, scope_);
    for (u32 k = 0; k < 2; ++k) {
      const TypeCode type = scalar_code(random_scalar(random_));
      out_ += "    assert traps(" + expressions.anchored(type, options_.depth).text + ", " +
              std::string(trap_name(random_.pick(kTraps))) + ")\n";
    }
    StatementWriter statements(random_, scope_, options_);
    out_ += statements.statements(TypeCode{static_cast<char>(kTupleCode), 0}, 1, 1);
    out_ +=
        "    assert " + expressions.write(scalar_code(Scalar::Bool), options_.depth).text + "\n}\n";
    scope_.functions.resize(functions);
    scope_.variables.resize(constants_);
  }

  // Parameters of any type; some of the numbers have a range.
  void property() {
    scope_.cycle = 0;
    out_ += "prop \"generated " + std::to_string(random_.below(1000)) + "\" (";
    const u32 count = 1 + random_.below(3);
    for (u32 k = 0; k < count; ++k) {
      const TypeCode type = scope_.random_type(random_);
      const std::string name = "p" + std::to_string(k);
      out_ += (k != 0 ? ", " : "") + name + ": " + spelled(type) + range(type);
      scope_.variables.push_back({name, type, false});
    }
    out_ += ") {\n";
    StatementWriter statements(random_, scope_, options_);
    out_ += statements.statements(TypeCode{static_cast<char>(kTupleCode), 0}, 1, 1);
    ExpressionWriter expressions(random_, scope_);
    out_ +=
        "    assert " + expressions.write(scalar_code(Scalar::Bool), options_.depth).text + "\n}\n";
    scope_.variables.resize(constants_);
  }
  // A range behind a parameter's type. It is not empty.
  std::string range(const TypeCode& type) {
    const bool is_number = is_scalar_code(type) && scalar_of(type) != Scalar::Bool;
    if (!is_number || random_.one_in(2)) return "";
    const std::string_view fraction = is_float(scalar_of(type)) ? ".5" : "";
    std::string text = " in " + std::to_string(random_.below(50));
    text += fraction;
    text += random_.one_in(2) ? "..=" : "..";
    text += std::to_string(50 + random_.below(50));
    return text += fraction;
  }

  Random random_;
  const Options& options_;
  Scope scope_;
  size_t constants_ = 0;
  std::string out_;
};

}  // namespace

std::string generate_program(u64 seed, const Options& options) {
  return ProgramWriter(seed, options).write();
}

std::vector<std::vector<u64>> generate_cases(u64 seed, std::string_view slot_types, u32 count) {
  Random random(seed);
  std::vector<std::vector<u64>> rows(count);
  for (std::vector<u64>& row : rows)
    for (const char type : slot_types)
      row.push_back(random_cell(random, static_cast<Scalar>(type)));
  return rows;
}

}  // namespace komuz::gen
