// SPDX-License-Identifier: Apache-2.0
#include "services/export/self_check.h"

#include <algorithm>

#include "base/counts.h"

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
        results = actual if isinstance(actual, tuple) else (actual,)
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
    const results = [#name(...values)].flat();
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
        all(same.(actual, expected)) || error("$arguments: $actual, and not $expected")
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

std::string self_check(const ScriptFunction& entry, const std::string& name,
                       const ExportOptions& options, bool is_exact, const TermWriter& terms) {
  std::vector<Scalar> types;
  for (u32 k = 0; k < entry.parameters; ++k) types.push_back(entry.variables[k].type);
  const bool has_f32 = std::ranges::find(entry.results, Scalar::F32) != entry.results.end();
  const std::string tolerance(is_exact ? "0.0" : has_f32 ? kCheckTolerance32 : kCheckTolerance);
  std::string cases;
  const bool is_c = options.target == ExportTarget::C || options.target == ExportTarget::Cuda;
  for (const ExportCase& of : options.cases) {
    std::string arguments, arrays;
    u32 argument_count = 0;
    for (u32 k = 0; k < entry.parameters; ++k) {
      const ScriptVariable& variable = entry.variables[k];
      if (variable.is_inside) continue;
      arguments += argument_count++ == 0 ? "" : ", ";
      if (variable.length == 0) {
        arguments += terms.constant(types[k], of.arguments[k]).text;
        continue;
      }
      const std::string values =
          values_of(std::span(types).subspan(k, variable.length),
                    std::span(of.arguments).subspan(k, variable.length), terms);
      if (!is_c) {
        arguments += "[" + values + "]";
        continue;
      }
      const std::string array = "km_a" + std::to_string(argument_count);
      arrays += "const " + std::string(terms.table().types[static_cast<u8>(types[k])]) + " " +
                array + "[] = {" + values + "}; ";
      arguments += array;
    }
    const std::string result = values_of(entry.results, of.result, terms);
    switch (options.target) {
      case ExportTarget::Python:
      case ExportTarget::Numpy:
        cases += "        ((" + arguments + (argument_count == 1 ? "," : "") + "), (" + result +
                 (entry.results.size() == 1 ? "," : "") + ")),\n";
        break;
      case ExportTarget::Julia:
        cases += "        ((" + arguments + (argument_count == 1 ? "," : "") + "), " +
                 (entry.results.size() == 1 ? result : "(" + result + ")") + "),\n";
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
          if (entry.results.size() > 1) actual += (is_rust ? "." : ".part") + std::to_string(r);
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
  switch (options.target) {
    case ExportTarget::Python:
    case ExportTarget::Numpy: text = kPython; break;
    case ExportTarget::Javascript: text = kJavascript; break;
    case ExportTarget::C:
    case ExportTarget::Cuda: text = kC; break;
    case ExportTarget::Rust: text = kRust; break;
    case ExportTarget::Julia: text = kJulia; break;
    default: return {};
  }
  const std::pair<std::string_view, std::string> words[] = {
      {"#tolerance", tolerance},
      {"#name", name},
      {"#count", counted(options.cases.size(), "case")},
      {"#cases", cases},
  };
  return filled(std::string(text), words);
}

}  // namespace komuz::services
