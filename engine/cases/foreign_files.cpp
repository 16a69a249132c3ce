// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/foreign_files.h"

#include <string>

namespace komuz::engine {
namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view begin;  // of the file
  std::string_view what;
  std::string_view remedy;  // `FILE` stands for its name
};
constexpr Kind kKinds[] = {
    {"\x1F\x8B"sv, "is compressed by gzip", "unpack it: `gzip -dc FILE >cases.csv`"},
    {"\x28\xB5\x2F\xFD"sv, "is compressed by zstd", "unpack it: `zstd -dc FILE >cases.csv`"},
    {"\xFD\x37zXZ\0"sv, "is compressed by xz", "unpack it: `xz -dc FILE >cases.csv`"},
    {"BZh"sv, "is compressed by bzip2", "unpack it: `bzip2 -dc FILE >cases.csv`"},
    {"PK\x03\x04"sv, "is a zip archive, as `.xlsx`, `.ods` and `.npz` are",
     "save the table in it as CSV (UTF-8); a zipped CSV file is unpacked by `unzip -p FILE "
     ">cases.csv`"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "is a workbook of old Excel (`.xls`)",
     "save the table as CSV (UTF-8)"},
    {"PAR1"sv, "is Parquet",
     "write it as CSV, as DuckDB does: `duckdb -c \"copy 'FILE' to 'cases.csv'\"`"},
    {"ARROW1"sv, "is Arrow (Feather)",
     "write it as CSV, as pandas does: `read_feather(…).to_csv(\"cases.csv\", index=False)`"},
    {"SQLite format 3\0"sv, "is a database of SQLite",
     "write a table of it as CSV: `sqlite3 -header -csv FILE 'select * from …' >cases.csv`"},
    {"\x89HDF\r\n\x1A\n"sv, "is HDF5", "write the table in it as CSV"},
    {"\x93NUMPY"sv, "is an array of NumPy (`.npy`)",
     "write it as CSV, with a header: `numpy.savetxt(\"cases.csv\", a, delimiter=\",\", "
     "header=…)`"},
};

}  // namespace

Problem foreign_file_error(std::string_view file, std::string_view bytes) {
  for (const Kind& kind : kKinds) {
    if (!bytes.starts_with(kind.begin)) continue;
    // A header may begin with these letters.
    const bool is_text =
        kind.begin == "BZh" && (bytes.size() < 4 || bytes[3] < '1' || bytes[3] > '9');
    const bool is_header =
        kind.begin == "PAR1" && bytes.substr(0, 64).find(',') != std::string_view::npos;
    if (is_text || is_header) continue;
    std::string remedy(kind.remedy);
    constexpr std::string_view kName = "FILE";
    if (const size_t name = remedy.find(kName); name != std::string::npos && file != "-") {
      const bool is_quoted = name > 0 && remedy[name - 1] == '\'';
      remedy.replace(name, kName.size(), is_quoted ? std::string(file) : shell_word(file));
    }
    return input_problem({std::string(file)}, "the file " + std::string(kind.what),
                         std::move(remedy));
  }
  return {};
}

}  // namespace komuz::engine
