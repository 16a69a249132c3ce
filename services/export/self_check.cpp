// SPDX-License-Identifier: Apache-2.0
#include "services/export/self_check.h"

#include <algorithm>

#include "base/counts.h"
#include "services/export/write_records.h"

namespace komuz::services {
namespace {

std::string values_of(std::span<const Scalar> types, std::span<const u64> cells,
                      const TermWriter& terms) {
  std::string out;
  for (size_t k = 0; k < types.size(); ++k)
    out += (k == 0 ? "" : ", ") + terms.constant(types[k], cells[k]).text;
  return out;
}

// In place of each `#name` its text.
std::string filled(std::string text,
                   std::span<const std::pair<std::string_view, std::string>> words) {
  for (const auto& [word, value] : words)
    for (size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  return text;
}

constexpr std::string_view kPython = R"(

if __name__ == "__main__":
    # arguments, and the result of Komuz
    cases = [
#cases    ]
    tolerance = #tolerance
    for arguments, expected in cases:
        actual = #name(*arguments)
        results = #results
        for a, e in zip(results, expected):
            if not (a == e or (a != a and e != e) or abs(float(a) - float(e)) <= tolerance * abs(float(e))):
                raise SystemExit(f"{arguments}: {actual}, and not {expected}")
    print("#count agree")
)";
constexpr std::string_view kJavascript = R"(
if (typeof process === "object" && process.argv?.[1] && import.meta.url.endsWith(encodeURI(process.argv[1].split(/[\\/]/).pop()))) {
  // arguments, and the result of Komuz
  const cases = [
#cases  ];
  const tolerance = #tolerance;
  for (const [values, expected] of cases) {
    const actual = #name(...values);
    const results = #results;
    results.forEach((a, k) => {
      const e = expected[k];
      const same = Object.is(a, e) || a === e ||
        (typeof a === "number" && Math.abs(a - e) <= tolerance * Math.abs(e));
      if (!same) throw new Error(`${values}: ${results}, and not ${expected}`);
    });
  }
  console.log("#count agree");
}
)";
constexpr std::string_view kC = R"(
#ifdef KM_CHECK  // compile with -DKM_CHECK: the program compares itself with the results of Komuz
static bool km_same(double a, double e) {
  return a == e || (isnan(a) && isnan(e)) || fabs(a - e) <= #tolerance * fabs(e);
}
int main(void) {
  int wrong = 0;
#cases  if (wrong == 0) printf("#count agree\n");
  return wrong != 0;
}
#endif
)";
constexpr std::string_view kRust = R"(
#[cfg(test)]
mod km_check {
    use super::*;

    fn same(a: f64, e: f64) -> bool {
        a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= #tolerance * e.abs()
    }

    /// The results of Komuz.
    #[test]
    fn agrees() {
#cases    }
}
)";
constexpr std::string_view kJulia = R"(
if abspath(PROGRAM_FILE) == @__FILE__
    # arguments, and the result of Komuz
    cases = [
#cases    ]
    for (arguments, expected) in cases
        actual = #name(arguments...)
        same(a, e) = a == e || (isnan(a) && isnan(e)) || abs(a - e) <= #tolerance * abs(e)
        all(same.(#results, expected)) || error("$arguments: $actual, and not $expected")
    end
    println("#count agree")
end
)";

}  // namespace

bool checks_itself(ExportTarget target) {
  switch (target) {
    case ExportTarget::Python:
    case ExportTarget::Numpy:
    case ExportTarget::C:
    case ExportTarget::Cuda:
    case ExportTarget::Julia:
    case ExportTarget::Rust:
    case ExportTarget::Javascript: return true;
    case ExportTarget::Latex:
    case ExportTarget::Mathml:
    case ExportTarget::Sympy:
    case ExportTarget::Excel:
    case ExportTarget::Sql: return false;
  }
  return false;
}

namespace {

// The arguments of a case; `arrays`: what C declares before.
struct CaseText {
  std::string arguments, arrays;
  u32 count = 0;
};
class CaseWriter {
 public:
  CaseWriter(const ScriptFunction& entry, const Exported& exported,
             std::span<const SlotInCase> slots, ExportTarget target, TermWriter& terms)
      : entry_(entry), exported_(exported), slots_(slots), target_(target), terms_(terms) {}

  CaseText write(std::span<const u64> cells) {
    CaseText out;
    for (const EntryArgument& argument : exported_.arguments) {
      out.arguments += out.count++ == 0 ? "" : ", ";
      switch (argument.kind) {
        case ArgumentKind::Number:
        case ArgumentKind::Length: out.arguments += number(argument.slot, cells); break;
        case ArgumentKind::Array: {
          std::vector<std::string> values;
          for (u32 k = 0; k < argument.cells; ++k)
            values.push_back(number(argument.slot + k, cells));
          put_array(out, entry_.variables[argument.slot].type, values, false);
          break;
        }
        case ArgumentKind::Slice: put_slice(out, argument.slot + 1, cells); break;
        case ArgumentKind::Reference: put_slice(out, argument.slot, cells); break;
        case ArgumentKind::Record: {
          std::vector<std::string> values;
          for (u32 k = 0; k < argument.cells; ++k)
            values.push_back(number(argument.slot + k, cells));
          out.arguments += record_value(exported_.types, argument.record, values, terms_);
          break;
        }
      }
    }
    return out;
  }

 private:
  std::string number(u32 slot, std::span<const u64> cells) {
    return terms_.constant(entry_.variables[slot].type, cells[slots_[slot].first]).text;
  }
  void put_slice(CaseText& out, u32 slot, std::span<const u64> cells) {
    const Scalar type = referred(entry_.variables[slot].type);
    const SlotInCase& at = slots_[slot];
    std::vector<std::string> values;
    for (u64 k = 0; k < cells[at.length_at] * at.per_element; ++k)
      values.push_back(terms_.constant(type, cells[at.first + k]).text);
    put_array(out, type, values, true);
  }
  void put_array(CaseText& out, Scalar type, const std::vector<std::string>& values,
                 bool is_slice) {
    std::string joined;
    for (const std::string& value : values) joined += (joined.empty() ? "" : ", ") + value;
    const std::string name = terms_.type_name(type);
    switch (target_) {
      case ExportTarget::C:
      case ExportTarget::Cuda: {
        const std::string array = "km_a" + std::to_string(out.count);
        out.arrays +=
            "const " + name + " " + array + "[] = {" + (values.empty() ? "0" : joined) + "}; ";
        out.arguments += array;
        return;
      }
      case ExportTarget::Rust: out.arguments += (is_slice ? "&[" : "[") + joined + "]"; return;
      case ExportTarget::Julia: out.arguments += name + "[" + joined + "]"; return;
      default: out.arguments += "[" + joined + "]";
    }
  }

  const ScriptFunction& entry_;
  const Exported& exported_;
  std::span<const SlotInCase> slots_;
  ExportTarget target_;
  TermWriter& terms_;
};

}  // namespace

std::string self_check(const ScriptFunction& entry, const Exported& exported,
                       std::span<const SlotInCase> slots, const ExportOptions& options,
                       bool is_exact, TermWriter& terms) {
  const std::string& name = exported.entry;
  const bool has_f32 = std::ranges::find(entry.results, Scalar::F32) != entry.results.end();
  const std::string tolerance(is_exact ? "0.0" : has_f32 ? kCheckTolerance32 : kCheckTolerance);
  // How the cells of the result are called behind its name.
  std::vector<std::string> parts;
  std::string fields;
  const bool is_record = exported.types.result_record != kNoRecord;
  if (is_record) {
    for (const RecordCell& cell : cells_of_record(exported.types, exported.types.result_record)) {
      std::string index = std::to_string(cell.index);
      if (options.target == ExportTarget::Julia) index = std::to_string(cell.index + 1);
      parts.push_back(cell.array_path + (cell.length == 0 ? "" : "[" + index + "]"));
      fields += (fields.empty() ? "actual" : ", actual") + parts.back();
    }
    fields += parts.size() == 1 && options.target != ExportTarget::Javascript ? "," : "";
  }
  std::string cases;
  CaseWriter writer(entry, exported, slots, options.target, terms);
  for (const ExportCase& of : options.cases) {
    const auto [arguments, arrays, argument_count] = writer.write(of.arguments);
    const std::string result = values_of(entry.results, of.result, terms);
    switch (options.target) {
      case ExportTarget::Python:
      case ExportTarget::Numpy:
        cases += "        ((" + arguments + (argument_count == 1 ? "," : "") + "), (" + result +
                 (entry.results.size() == 1 ? "," : "") + ")),\n";
        break;
      case ExportTarget::Julia:
        cases += "        ((" + arguments + (argument_count == 1 ? "," : "") + "), " +
                 (entry.results.size() == 1 ? is_record ? "(" + result + ",)" : result
                                            : "(" + result + ")") +
                 "),\n";
        break;
      case ExportTarget::Javascript:
        cases += "    [[" + arguments + "], [" + result + "]],\n";
        break;
      case ExportTarget::C:
      case ExportTarget::Cuda:
      case ExportTarget::Rust: {
        const bool is_rust = options.target == ExportTarget::Rust;
        for (size_t r = 0; r < entry.results.size(); ++r) {
          const Scalar type = entry.results[r];
          std::string actual = name + "(" + arguments + ")";
          if (is_record)
            actual += parts[r];
          else if (entry.results.size() > 1)
            actual += (is_rust ? "." : ".part") + std::to_string(r);
          const std::string expected = terms.constant(type, of.result[r]).text;
          const std::string same =
              is_float(type) ? (is_rust ? "same((" + actual + ") as f64, (" + expected + ") as f64)"
                                        : "km_same(" + actual + ", " + expected + ")")
                             : actual + " == " + expected;
          if (is_rust)
            cases += "        assert!(" + same + ");\n";
          else
            cases += (arrays.empty() ? "  if (!(" : "  { " + arrays + "if (!(") + same +
                     ")) wrong = printf(\"" + name + ": another result than Komuz in case " +
                     std::to_string(&of - options.cases.data() + 1) + "\\n\");" +
                     (arrays.empty() ? "\n" : " }\n");
        }
        break;
      }
      default: break;
    }
  }
  std::string_view text;
  std::string results = is_record ? "(" + fields + ")" : "actual";
  switch (options.target) {
    case ExportTarget::Python:
    case ExportTarget::Numpy:
      text = kPython;
      if (!is_record) results = "actual if isinstance(actual, tuple) else (actual,)";
      break;
    case ExportTarget::Javascript:
      text = kJavascript;
      results = is_record ? "[" + fields + "]" : "[actual].flat()";
      break;
    case ExportTarget::C:
    case ExportTarget::Cuda: text = kC; break;
    case ExportTarget::Rust: text = kRust; break;
    case ExportTarget::Julia: text = kJulia; break;
    default: return {};
  }
  const std::pair<std::string_view, std::string> words[] = {
      {"#tolerance", tolerance}, {"#name", name},
      {"#results", results},     {"#count", counted(options.cases.size(), "case")},
      {"#cases", cases},
  };
  return filled(std::string(text), words);
}

}  // namespace komuz::services
