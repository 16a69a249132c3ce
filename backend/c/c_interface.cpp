// SPDX-License-Identifier: Apache-2.0
#include "backend/c/c_interface.h"

#include "lang/traps.h"

namespace komuz::backend {
namespace {

// Names that the header itself gives to parameters.
constexpr std::string_view kOwnNames[] = {"n", "out", "trap", "traps", "limits"};

constexpr char kCommon[] =
    R"( /* of headers and objects: both must come from one version */
/* How a call ended. */
struct komuz_trap {
  uint64_t ticks;  /* fuel that it used */
  uint32_t trap;   /* KOMUZ_... below; 0: it has returned */
  uint32_t depth;  /* of calls, where it trapped */
  uint32_t place;  /* the instruction: its number, counted over all functions */
  uint32_t line;   /* of it in the source, from 1; 0: not known */
  uint32_t column;
  uint32_t file;   /* that the line is in: 0, the program's own; others are numbered below */
};
/* What _within functions are held to. */
struct komuz_limits {
  uint64_t fuel; /* the ticks that each row may take, up to 2^62; 0: those of the other functions */
  const volatile uint32_t* stop; /* not null: once it is not 0, rows that have not begun are KOMUZ_STOPPED */
};
enum {
)";

std::string common_text() {
  std::string constants;
  const auto constant = [&](std::string_view name, u32 number, std::string_view meaning) {
    constants += (constants.empty() ? "  /* " : ",\n  /* ") + std::string(meaning) +
                 " */\n  KOMUZ_" + std::string(name) + " = " + std::to_string(number);
  };
#define TRAP(Name, number, spelling, sentence) constant(spelling, number, sentence);
#include "lang/traps.def"
  constant("BAD_ARGUMENT", kBadArgument,
           "no call: a count or an alternative that its type does not have");
  constant("NO_MEMORY", kNoMemory, "no call: there is no memory for arrays");
  constant("STOPPED", kStopped, "no call: `stop` was set before");
  const std::string version = std::to_string(kCInterface);
  return "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n#ifndef "
         "KOMUZ_INTERFACE\n#define KOMUZ_INTERFACE " +
         version + kCommon + constants + "\n};\n#elif KOMUZ_INTERFACE != " + version +
         "\n#error \"headers of different versions of Komuz\"\n#endif\n";
}

constexpr char kWithin[] = R"(The `_within` of a
   function does what its `_rows` does, with another budget of each row, and until it is stopped; `limits` may be null.
   )";

// The numbers of komuz_trap::file, where there is more than the program's own.
std::string file_list(const std::vector<std::string>& files) {
  if (files.size() < 2) return {};
  std::string text = "\n/* Files of traps:";
  for (size_t k = 0; k < files.size(); ++k) {
    text += "\n     " + std::to_string(k) + "  ";
    // A name may not end the comment.
    for (const char c : files[k]) text += c == '*' || c == '\n' ? '?' : c;
  }
  return text + " */\n";
}

// The lists of parameters that a function of C has.
enum class ListOf : u8 { One, Rows, RowsWithin };

struct Parameter {
  std::string given;  // its name in the program
  std::string_view codes;
  std::string name;  // in C
  CType type;
};

// Without what C makes of them.
std::vector<Parameter> parameters_of(const CodeView& code, const Function& f) {
  const std::string_view tuple = code.parameter_types(f);
  const TypeHead head = read_type_head(tuple, 0);
  std::vector<Parameter> parameters(head.elements);
  std::vector<std::string> given;
  size_t at = head.end;
  for (u32 k = 0; k < head.elements; ++k) {
    const size_t end = skip_type(tuple, at);
    const NameRange range = code.parameter_names[f.parameters_begin + k];
    given.emplace_back(code.names.substr(range.begin, range.end - range.begin));
    parameters[k].codes = tuple.substr(at, end - at);
    at = end;
  }
  std::vector<std::string> names = c_member_names(given, kOwnNames);
  for (u32 k = 0; k < head.elements; ++k)
    parameters[k].given = std::move(given[k]), parameters[k].name = std::move(names[k]);
  return parameters;
}

bool is_scalar(const CType& type) {
  return type.cells == 1 && type.extents.empty() && !type.name.starts_with("struct ");
}

std::string with_count(u64 elements, bool is_rows) {
  std::string count = is_rows ? "n" : "";
  if (elements != 1) count += (is_rows ? " * " : "") + std::to_string(elements);
  return count.empty() ? "" : " /* " + count + " */";
}

std::string parameter_list(const std::vector<Parameter>& parameters, const CType& result,
                           ListOf of) {
  const bool is_rows = of != ListOf::One;
  std::string text = of == ListOf::RowsWithin ? "const struct komuz_limits* limits, size_t n"
                     : is_rows                ? "size_t n"
                                              : "";
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const Parameter& p : parameters) {
    if (p.type.bytes == 0) continue;
    if (!is_rows && is_scalar(p.type))
      add(p.type.name + " " + p.name);
    else
      add("const " + p.type.name + "* " + p.name + with_count(p.type.elements, is_rows));
  }
  if (result.bytes != 0) add(result.name + "* out" + with_count(result.elements, is_rows));
  add(is_rows ? "struct komuz_trap* traps" : "struct komuz_trap* trap");
  return text;
}

std::string guard_of(const std::string& header) {
  std::string guard = "KOMUZ_OF_";
  for (const char c : header.substr(header.rfind('/') + 1))
    guard += type_heads::is_name_byte(c)
                 ? static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c)
                 : '_';
  return guard;
}

CObject object_of(const CType& type, std::vector<std::vector<CellRun>>& kept) {
  kept.push_back(type.runs);
  return {kept.back().data(), static_cast<u32>(type.runs.size()), type.cells, type.bytes, 0};
}

}  // namespace

Result<CInterface> CInterface::make(const CodeView& code, const std::vector<u32>& functions,
                                    const CInterfaceRequest& request) {
  CInterface made;
  CNames names;
  for (const u32 number : functions) {
    const std::string name = request.prefix + std::string(code.name(code.functions[number]));
    for (const char* const ending : {"", "_rows", "_within", "_case"})
      if (std::string why = names.take(name + ending, CThing::Function); !why.empty())
        return input_problem(std::move(why));
  }
  CTypes types(request.prefix, names);
  std::string declarations;
  for (const u32 number : functions) {
    const Function& f = code.functions[number];
    const std::string plain(code.name(f)), name = request.prefix + plain;
    std::string refusal;
    const auto refused = [&](const std::string& where) {
      return input_problem("C cannot call `" + plain + "`: " + where + ": " + refusal);
    };
    std::vector<Parameter> parameters = parameters_of(code, f);
    declarations += "\n/* fn " + plain + "(";
    for (Parameter& p : parameters) {
      p.type = types.type(p.codes, refusal);
      if (!refusal.empty()) return refused("`" + p.given + "`");
      declarations += (&p == parameters.data() ? "" : ", ") + p.given + ": " +
                      type_text(p.codes, RecordText::Name);
    }
    const CType result = types.type(code.result_type(f), refusal);
    if (!refusal.empty()) return refused("its result");
    declarations += ") -> " + type_text(code.result_type(f), RecordText::Name) + " */\n";
    const auto declare = [&](const char* ending, ListOf of) {
      declarations +=
          "int32_t " + name + ending + "(" + parameter_list(parameters, result, of) + ");\n";
    };
    declare("", ListOf::One);
    declare("_rows", ListOf::Rows);
    if (request.has_limits) declare("_within", ListOf::RowsWithin);

    std::vector<CObject>& objects = made.parameters_.emplace_back();
    for (const Parameter& p : parameters) {
      CObject& object = objects.emplace_back(object_of(p.type, made.runs_));
      object.is_by_value = is_scalar(p.type) ? 1 : 0;
    }
    made.symbols_.push_back(name);
    CFunction& out = made.functions_.emplace_back();
    out.function = number;
    out.parameter_count = static_cast<u32>(parameters.size());
    out.result = object_of(result, made.runs_);
    out.fuel = request.fuel;
    out.has_limits = request.has_limits ? 1 : 0;
  }
  for (size_t k = 0; k < made.functions_.size(); ++k) {
    made.functions_[k].parameters = made.parameters_[k].data();
    made.functions_[k].symbol = made.symbols_[k].c_str();
  }
  // Two folders may have headers of one name.
  const std::string guard =
      guard_of(request.header) + "_" + c_digest(types.definitions() + declarations);
  made.header_ = "/* " + request.about + R"(

   A function gives 0, or how the call trapped; `trap`, where it is not null, gets the same and more. The `_rows` of a function
   calls it for n rows, and gives 0, or how the first row that trapped did so; `traps`, where it is not null, has n elements. What
   belongs to a row that trapped is 0 in `out`. A call may take )" +
                 std::to_string(request.fuel) + R"( ticks. )" +
                 (request.has_limits ? kWithin : "") +
                 R"(All functions may be called by several threads at once. */
#ifndef )" + guard +
                 "\n#define " + guard + "\n" + common_text() + file_list(request.files) +
                 "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + types.definitions() +
                 declarations + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return made;
}

}  // namespace komuz::backend
