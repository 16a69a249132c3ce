# SPDX-License-Identifier: Apache-2.0
"""Exports to SQL, Excel, LaTeX and MathML."""

import json
import math
import os
import re
import shutil
import sys
import zipfile

from exported import Verdict, decoded, read_samples, run, skip
from compiled_targets import in_parts


def check_sqlite(folder):
    import sqlite3

    base = sqlite3.connect(":memory:")
    try:
        base.execute("SELECT exp(1e0), trunc(1.5e0)")
    except sqlite3.OperationalError:
        skip("SQLite is without its mathematical functions")
    verdict = Verdict("sqlite", keeps_zero_sign=False)
    for sample in read_samples(folder, "sql"):
        kinds, own = sample["parameters"], sample["names"]
        types = {"f64": "REAL", "bool": "BOOLEAN"}
        base.execute("DROP TABLE IF EXISTS t")
        columns = ", ".join(f'"{n}" {types.get(k, "INTEGER")}' for n, k in zip(own, kinds))
        base.execute(f"CREATE TABLE t (km_row INTEGER{', ' + columns if columns else ''})")
        rows = []
        for number, case in enumerate(sample["cases"]):
            values = [decoded(c, k) for c, k in zip(case[0], kinds)]
            # SQLite has no larger integers, and keeps no sign of zero.
            if any(isinstance(v, int) and not -(2**63) <= v < 2**63 or str(v) == "-0.0" for v in values):
                values = None
            rows.append(values)
            if values is not None:
                base.execute(f"INSERT INTO t VALUES ({', '.join('?' * (len(values) + 1))})", [number, *values])
        verdict.programs += 1
        query = sample["text"][sample["text"].index("SELECT"):].rstrip().rstrip(";") + " ORDER BY km_row"
        results = [row[0] for row in rows_of(base, query)]
        whole = [case for case, values in zip(sample["cases"], rows) if values is not None]
        for case, result in zip(whole, results, strict=True):
            moderate(verdict, sample, case, result)
    verdict.finish()


DUCKDB = """const fs = require("fs");
const { DuckDBInstance } = require(process.argv[2]);
(async () => {
  const base = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = async (query) => (await base.runAndReadAll(query)).getRows().map((row) => row[0]);
  const text = (value) => (typeof value === "bigint" ? { integer: String(value) } : Number.isNaN(value) ? null : value);
  const out = [];
  for (const line of fs.readFileSync(process.argv[3], "utf8").split("\\n").filter((line) => line !== "")) {
    const job = JSON.parse(line);
    for (const statement of job.before) await base.run(statement);
    let results = [];
    try { results = await rows(job.query + " ORDER BY km_row"); }
    catch {
      // A row whose step does not fit ends the query: each by itself.
      for (let row = 0; row < job.rows; ++row) {
        try { results.push(...await rows(job.query + " WHERE km_row = " + row)); }
        catch (error) { results.push(null); if (/Parser|Binder|Catalog/.test(error.message)) { console.error(job.query, error.message); process.exit(1); } }
      }
    }
    out.push(JSON.stringify(results.map(text)));
  }
  process.stdout.write(out.join("\\n") + "\\n");
})();
"""


def check_duckdb(folder):
    package = os.path.join(os.path.dirname(__file__), "../../build/duckdb/node_modules/@duckdb/node-api")
    if not shutil.which("node") or not os.path.isdir(package):
        skip("DuckDB's package of npm is not installed (scripts/setup --test)")
    verdict = Verdict("duckdb")
    types = {"f64": "DOUBLE", "f32": "FLOAT", "bool": "BOOLEAN", "i64": "BIGINT", "i32": "INTEGER", "u8": "UTINYINT", "u32": "UINTEGER", "u64": "UBIGINT"}

    def literal(value, kind):
        return f"'{value!r}'::{types[kind]}" if kind.startswith("f") else str(value)

    samples = [s for s in read_samples(folder, "duckdb") if s["cases"]]
    jobs = []
    for sample in samples:
        kinds, own = sample["parameters"], sample["names"]
        columns = "".join(f', "{n}" {types[k]}' for n, k in zip(own, kinds))
        rows = ", ".join("(" + ", ".join([str(number), *(literal(decoded(c, k), k) for c, k in zip(case[0], kinds))]) + ")"
                         for number, case in enumerate(sample["cases"]))
        query = sample["text"][sample["text"].index("SELECT"):].rstrip().rstrip(";")
        jobs.append({"before": [f"CREATE OR REPLACE TABLE t (km_row INTEGER{columns})", f"INSERT INTO t VALUES {rows}"],
                     "query": query, "rows": len(sample["cases"])})
    source, work = os.path.join(folder, "duckdb.cjs"), os.path.join(folder, "jobs.jsonl")
    with open(source, "w") as file:
        file.write(DUCKDB)
    with open(work, "w") as file:
        file.write("".join(json.dumps(job) + "\n" for job in jobs))
    output = run(["node", source, os.path.abspath(package), work], "node").strip().split("\n")
    for sample, line in zip(samples, output, strict=True):
        verdict.programs += 1
        for case, result in zip(sample["cases"], json.loads(line), strict=True):
            moderate(verdict, sample, case, int(result["integer"]) if isinstance(result, dict) else result)
    verdict.finish()


def rows_of(base, query):
    """All rows. One that ends the query, as `abs` of the least integer does, has no result."""
    import sqlite3

    try:
        return list(base.execute(query))
    except sqlite3.OperationalError:
        one = query.replace(" ORDER BY km_row", " WHERE km_row = ?")
        out = []
        for (number,) in base.execute("SELECT km_row FROM t ORDER BY km_row").fetchall():
            try:
                out += base.execute(one, [number]).fetchall()
            except sqlite3.OperationalError:
                out.append((None,))
        return out


def moderate(verdict, sample, case, result, digits=17):
    """Tables have no NaN and no traps: results of numbers of moderate size are compared, where there is one."""
    values = [decoded(c, k) for c, k in zip(case[0], sample["parameters"])]
    numbers = [v for v in values if not isinstance(v, bool)]
    expected = case[1]
    if isinstance(expected, str) or not all(math.isfinite(v) and abs(v) < 1e6 for v in numbers):
        verdict.left += 1
        return
    value = decoded(expected[0], sample["results"][0])
    if not math.isfinite(value) or (digits < 17 and isinstance(value, int) and abs(value) >= 10**15):
        verdict.left += 1
        return
    if result is None:
        verdict.left += 1
        verdict.missing += 1
        return
    # What is kept with 15 digits, and 20 behind the point, is compared with so many.
    if digits < 17 and isinstance(value, float) and math.isclose(result, value, rel_tol=2e-14, abs_tol=1e-20):
        result = value
    verdict.note(sample, case, [result])


def check_excel(folder):
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if not office:
        skip("LibreOffice is not installed")
    samples = [s for s in read_samples(folder, "excel") if s["cases"]]
    verdict = Verdict("excel", keeps_zero_sign=False)
    for some in in_parts(samples):
        sheet, wanted, row = [], [], 0
        for sample in some:
            formula = sample["text"].strip()[1:]
            verdict.programs += 1
            cases = sample["cases"]
            for case in cases[:: max(1, len(cases) // 60)]:
                values = [decoded(c, k) for c, k in zip(case[0], sample["parameters"])]
                if not all(isinstance(v, bool) or (math.isfinite(v) and abs(v) < 2**53) for v in values):
                    continue
                row += 1
                own = re.sub(r"\b([A-Z])2\b", lambda m: f"{m.group(1)}{row}", formula)
                cells = "".join(
                    f'<c r="{chr(65 + k)}{row}"{" t=" + chr(34) + "b" + chr(34) if isinstance(v, bool) else ""}><v>{int(v) if isinstance(v, bool) else repr(v)}</v></c>'
                    for k, v in enumerate(values))
                escaped = own.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                sheet.append(f'<row r="{row}">{cells}<c r="Z{row}"><f>{escaped}</f></c></row>')
                wanted.append((sample, case))
        book = os.path.join(folder, "book.xlsx")
        with zipfile.ZipFile(book, "w") as pack:
            pack.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>')
            pack.writestr("_rels/.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>')
            pack.writestr("xl/workbook.xml", '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>')
            pack.writestr("xl/_rels/workbook.xml.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')
            pack.writestr("xl/worksheets/sheet1.xml", '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' + "".join(sheet) + "</sheetData></worksheet>")
        run([office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "fods", "--outdir", folder, book],
            "LibreOffice", timeout=300)
        text = open(os.path.join(folder, "book.fods"), encoding="utf-8").read()
        # Truth values are formulas there, too: the last one of a row is ours.
        rows = [re.findall(r"<table:table-cell[^>]*table:formula=\"[^\"]*\"[^>]*>", part) for part in text.split("<table:table-row")]
        results = [cells[-1] for cells in rows if cells]
        if len(results) != len(wanted):
            sys.exit(f"{len(results)} formulas of {len(wanted)} came back")
        for (sample, case), cell in zip(wanted, results):
            value = re.search(r'office:value="([^"]*)"', cell)
            truth = re.search(r'office:boolean-value="([^"]*)"', cell)
            is_error = 'calcext:value-type="error"' in cell
            result = None if is_error or not (value or truth) else float(value.group(1)) if value else truth.group(1) == "true"
            moderate(verdict, sample, case, result, digits=15)
    verdict.finish()


def check_notation(folder):
    """LaTeX: braces and environments are balanced; MathML is XML."""
    from xml.dom import minidom

    count = 0
    for sample in read_samples(folder, "latex"):
        text = sample["text"]
        assert text.count("{") == text.count("}"), text
        assert text.count("\\left") - text.count("\\leftarrow") == text.count("\\right") - text.count("\\rightarrow"), text
        assert text.count("\\begin") == text.count("\\end"), text
        count += 1
    for sample in read_samples(folder, "mathml"):
        minidom.parseString(re.sub(r"<!--.*?-->\n", "", sample["text"]))
        count += 1
    print(f"{count} formulas are well formed")
