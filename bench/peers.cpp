// SPDX-License-Identifier: Apache-2.0
#include "bench/peers.h"

#ifdef KOMUZ_BENCH_LUAJIT
#include <lua.hpp>
#endif
#ifdef KOMUZ_BENCH_TCC
#include <libtcc.h>
#endif

namespace komuz::bench {

namespace {

#ifdef KOMUZ_BENCH_LUAJIT
std::string lua_source(const std::string& expression) {
  std::string locals, values;
  for (size_t k = 0; k < kVariables.size(); ++k) {
    locals += std::string(k == 0 ? "" : ", ") + kVariables[k];
    values += std::string(k == 0 ? "" : ", ") + "C[" + std::to_string(k) + "][i]";
  }
  return "local C, E, n = ...\nlocal s = 0\nfor i = 0, n - 1 do\n  local " + locals + " = " +
         values + "\n  local e = (" + expression + ") - E[i]\n  s = s + e * e\nend\nreturn s\n";
}

bool score_by_luajit(std::span<const std::string> expressions, const RegressionCases& cases,
                     std::vector<f64>& scores) {
  lua_State* const lua = luaL_newstate();
  luaL_openlibs(lua);
  const f64* columns[kVariables.size()];
  for (size_t k = 0; k < kVariables.size(); ++k) columns[k] = cases.columns[k].data();
  // The chunks get the columns, the expected values, and the number of both.
  lua_pushlightuserdata(lua, static_cast<void*>(columns));
  lua_setglobal(lua, "columns_at");
  lua_pushlightuserdata(lua, const_cast<f64*>(cases.expected.data()));
  lua_setglobal(lua, "expected_at");
  bool sound = luaL_dostring(lua,
                             "local ffi = require('ffi')\n"
                             "C = ffi.cast('const double**', columns_at)\n"
                             "E = ffi.cast('const double*', expected_at)\n") == 0;
  scores.clear();
  for (const std::string& expression : expressions) {
    const std::string source = lua_source(expression);
    sound = sound && luaL_loadbuffer(lua, source.data(), source.size(), "candidate") == 0;
    if (!sound) break;
    lua_getglobal(lua, "C");
    lua_getglobal(lua, "E");
    lua_pushinteger(lua, static_cast<lua_Integer>(cases.count()));
    sound = lua_pcall(lua, 3, 1, 0) == 0;
    if (!sound) break;
    scores.push_back(lua_tonumber(lua, -1));
    lua_settop(lua, 0);
  }
  lua_close(lua);
  return sound;
}
#endif

#ifdef KOMUZ_BENCH_TCC
std::string c_source(const std::string& expression) {
  std::string locals;
  for (size_t k = 0; k < kVariables.size(); ++k)
    locals +=
        std::string(k == 0 ? "" : ", ") + kVariables[k] + " = C[" + std::to_string(k) + "][i]";
  return "double f(const double* const* C, const double* E, int n) {\n  double s = 0;\n"
         "  for (int i = 0; i < n; i++) {\n    double " +
         locals + ";\n    double e = (" + expression +
         ") - E[i];\n    s = s + e * e;\n  }\n  return s;\n}\n";
}

bool score_by_tcc(std::span<const std::string> expressions, const RegressionCases& cases,
                  std::vector<f64>& scores) {
  using Function = f64 (*)(const f64* const*, const f64*, int);
  const f64* columns[kVariables.size()];
  for (size_t k = 0; k < kVariables.size(); ++k) columns[k] = cases.columns[k].data();
  scores.clear();
  for (const std::string& expression : expressions) {
    TCCState* const tcc = tcc_new();
    tcc_set_options(tcc, "-nostdlib");
    tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY);
    const bool sound = tcc_compile_string(tcc, c_source(expression).c_str()) == 0 &&
                       tcc_relocate(tcc, TCC_RELOCATE_AUTO) >= 0;
    const Function f = sound ? reinterpret_cast<Function>(tcc_get_symbol(tcc, "f")) : nullptr;
    if (f != nullptr)
      scores.push_back(f(columns, cases.expected.data(), static_cast<int>(cases.count())));
    tcc_delete(tcc);
    if (f == nullptr) return false;
  }
  return true;
}
#endif

}  // namespace

std::vector<Peer> peers() {
  std::vector<Peer> found;
#ifdef KOMUZ_BENCH_LUAJIT
  found.push_back({"LuaJIT", 2000, score_by_luajit});
#endif
#ifdef KOMUZ_BENCH_TCC
  found.push_back({"libtcc", 500, score_by_tcc});
#endif
  return found;
}

const char* peers_left_out() {
#if defined(KOMUZ_BENCH_LUAJIT) && defined(KOMUZ_BENCH_TCC)
  return "";
#elif defined(KOMUZ_BENCH_LUAJIT)
  return "libtcc was not found and is left out (Debian: libtcc-dev)";
#elif defined(KOMUZ_BENCH_TCC)
  return "LuaJIT was not found and is left out (Debian: libluajit-5.1-dev)";
#else
  return "LuaJIT and libtcc were not found and are left out (Debian: libluajit-5.1-dev, "
         "libtcc-dev)";
#endif
}

}  // namespace komuz::bench
