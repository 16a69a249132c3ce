# SPDX-License-Identifier: Apache-2.0
"""Writes what a GPU day measured to the pages: the tables of docs/measurements.md, and the column of docs/paper.md about GPUs.

A cell of that column is written only if its row was measured: the others stay as they are, and say `no GPU yet`.
"""

import statistics

BEGIN, END = "<!-- gpu day -->\n", "<!-- end of gpu day -->\n"
COLUMN = "ours, a GPU"
BYTES_THERE, BYTES_BACK = 533e3, 725e3  # of 1,000 programs of 135 bytes on 256 cases (`batch_bytes 1000`)
CANDIDATES = 10_000  # of text_to_ranking, on 256 cases
PROGRAMS = 4_096  # of short_programs, of 400 bytes


class Figures:
    """The rows of a day by their short names. What was not measured is None, and so is what is made of it."""

    def __init__(self, report, day):
        self.report, self.day = report, day
        self.rows = {report.short(row.name): row for row in day.rows if row.times}

    def milliseconds(self, name):
        row = self.rows.get(name)
        return statistics.median(row.times) * self.report.UNITS_IN_MS.get(row.unit, 1) if row else None

    def rate(self, name, counter):
        row = self.rows.get(name)
        return self.report.rate(row, counter) if row else None

    def ratio(self, over, under):
        if over not in self.rows or under not in self.rows:
            return None
        return self.report.time_of_a_unit(self.rows[over]) / self.report.time_of_a_unit(self.rows[under])

    def watts(self, part):
        part = self.day.parts.get(part)
        if part is None:
            return None
        of_part = [s.milliwatts / 1000 for s in self.day.samples if part.begin <= s.ms <= part.end and s.milliwatts >= 0]
        return statistics.mean(of_part) if of_part else None

    # What the cells say, without their units.
    def text_to_ranking(self):
        return self.milliseconds("text_to_ranking/gpu:2")

    def a_candidate(self):
        return per(self.text_to_ranking(), CANDIDATES / 1e3)

    def candidates_a_second(self):
        time = self.text_to_ranking()
        return None if time is None else CANDIDATES / time * 1e3

    def a_program(self):
        return per(self.milliseconds("front_end_with_transfers/short_programs"), PROGRAMS / 1e3)

    def millijoules_of_a_kilobyte(self):
        joules_of_a_byte = per(self.watts("benchmarks/front_end"), self.rate("front_end/to_checked_code", "bytes_per_second"))
        return None if joules_of_a_byte is None else 1e6 * joules_of_a_byte

    def joules_of_verified(self):
        watts, time = self.watts("benchmarks/model"), self.milliseconds("verified/gpu/candidates:1000")
        return None if watts is None or time is None else watts * time / 1e3

    def microjoules_of_a_transfer(self):
        joules_of_a_byte = per(self.watts("ceilings/all"), self.rate("ceiling/copy_to", "bytes"))
        return None if joules_of_a_byte is None else 1e9 * joules_of_a_byte

    def milliseconds_of_transfers(self):
        """Of what `batch_bytes 1000` counts."""
        there, back = per(BYTES_THERE, self.rate("ceiling/copy_to", "bytes")), per(BYTES_BACK, self.rate("ceiling/copy_from", "bytes"))
        return None if there is None or back is None else 1e3 * (there + back)

    def hybrid_milliseconds(self):
        """By (14), with the paper's share, of one program: a candidate of the model, or the front end."""
        neural, ordinary = per(self.milliseconds("generate/gpu/candidates:1000"), 1000), per(self.a_program(), 1000)
        return None if neural is None or ordinary is None else 0.8 * neural + 0.2 * ordinary

    def so_many_at_once(self):
        """Programs that take the time of one."""
        of_one = self.ratio_of_times("front_end_of_programs/1", "front_end_of_programs/10000")
        return None if of_one is None else 10_000 * of_one

    def ratio_of_times(self, over, under):
        return per(self.milliseconds(over), self.milliseconds(under))

    def mib(self, part):
        part = self.day.parts.get(part)
        return None if part is None else self.report.mib_of_part(self.day, part)


def per(value, by):
    return None if value is None or by is None else value / by


# The beginning of a claim, what is measured of it, and how the cell says that: `{}` is the figure.
CLAIMS = [
    ("Compiling and running take most of a turn", Figures.a_candidate, "{} µs a candidate on 256 cases, from text to ranking"),
    ("A CPU compiles a program in", Figures.a_program, "{} µs a program of 400 bytes, 4,096 at once, transfers included"),
    ("Moving a program of 1–10 KB", lambda f: per(f.rate("ceiling/copy_to", "bytes"), 1e9), "{} GB/s to the device"),
    ("PCIe 4.0 has 32 GB/s", lambda f: per(f.rate("ceiling/copy_there", "bytes"), 1e12), "{} TB/s within its memory"),
    ("Algorithm 1: k thread blocks", lambda f: per(f.rate("front_end/to_checked_code", "bytes_per_second"), 1e9), "{} GB/s of source to checked code"),
    ("Lexing is a classification", lambda f: per(f.rate("front_end/lexing", "bytes_per_second"), 1e9), "{} GB/s of source"),
    ("Faster than a CPU for k of 10–100", lambda f: f.ratio("few_to_ranking/gpu:0/candidates:100", "few_to_ranking/gpu:2/candidates:100"),
     "{} times as fast as its host's processor, from text to ranking of 100"),
    ("Error messages as good", lambda f: f.ratio("front_end/all_failing", "front_end/to_checked_code"), "a wrong batch takes {} times as long as a sound one"),
    ("(9) Generating 1,000 candidates", lambda f: f.milliseconds("generate/gpu/candidates:1000"), "{} ms"),
    ("(10) Verifying 1,000 candidates", lambda f: f.milliseconds("verified/gpu/candidates:1000"), "{} ms, with their generation"),
    ("(16) A turn on a CPU", Figures.a_candidate, "{} µs and 10 ms for generating"),
    ("Energy of a program compiled on a GPU", Figures.millijoules_of_a_kilobyte, "{} mJ for 1 KB, by the mean power of `benchmarks/front_end`"),
    ("One thread runs one program", lambda f: f.ratio("run_threads/f32/programs:10000/cases:256", "run_expressions/f32/programs:10000/cases:256"),
     "a thread a program takes {} times as long as a warp a program"),
    ("Simple programs a second", Figures.candidates_a_second, "{}, compiled and run on 256 cases"),
    ("Transfers of 1,000 turns add", Figures.milliseconds_of_transfers, "{} ms for all 1,000 by `ceilings`, without the latencies of 9 copies"),
    ("Parsing by parallel LR", lambda f: per(f.rate("front_end/to_code", "bytes_per_second"), 1e9), "{} GB/s of source to code"),
    ("Names through hash tables", lambda f: per(f.rate("front_end/to_code", "bytes_per_second"), 1e9), "{} GB/s of source to code, names included"),
    ("(1) A program takes the sum", lambda f: f.ratio("front_end_of_bytes/10000", "front_end_of_bytes/1000"),
     "a byte of programs of 10,000 bytes takes {} times as long as of 1,000"),
    ("(2) k programs on P", lambda f: f.ratio_of_times("front_end_of_programs/1000", "front_end_of_programs/1"), "1,000 programs take {} times as long as one"),
    ("(3), (4), (5) A transformer", lambda f: f.milliseconds("step/gpu/rows:1000"), "{} ms for a word of 1,000 candidates"),
    ("(11), (12) Over a CPU", lambda f: per(200e3, f.milliseconds("verified/gpu/candidates:1000")), "the neural way {} times as fast as such a CPU"),
    ("Memory O(k", lambda f: f.mib("benchmarks/model"), "{} MiB at most in `benchmarks/model`, the driver's context included"),
    ("(14) T = p", Figures.hybrid_milliseconds, "{} ms a program by the equation with p = 0.8, of `generate` and `short_programs`; routing is the host's"),
    ("(15) p = 0.8", Figures.hybrid_milliseconds, "{} ms by the equation, of `generate` and `short_programs`"),
    ("parallelism", Figures.so_many_at_once, "{} programs are compiled in the time of one"),
    ("throughput", Figures.candidates_a_second, "{} candidates/s, from text to ranking"),
    ("latency of one program", lambda f: per(f.milliseconds("front_end_with_transfers/one_program"), 1e-3), "{} µs, transfers included"),
    ("memory", lambda f: f.rate("front_end/to_checked_code", "device_bytes_a_byte"), "{} bytes of its memory a byte of source"),
    ("speed-up over a CPU", lambda f: f.ratio("text_to_ranking/gpu:0", "text_to_ranking/gpu:2"), "{} over our own CPU path on its host"),
    ("Latency of 1,000 programs, neural", lambda f: f.milliseconds("verified/gpu/candidates:1000"), "{} ms for 1,000 candidates of a window, verified"),
    ("Energy of a transfer of 1 KB", Figures.microjoules_of_a_transfer, "{} µJ by the mean power of `ceilings`"),
    ("1,000 times less energy", Figures.joules_of_verified, "{} J for 1,000 candidates of the model, verified, by the mean power of `benchmarks/model`"),
    ("Memory of the traditional path", lambda f: f.rate("front_end/to_checked_code", "device_bytes_a_byte"), "{} bytes of its memory a byte of source"),
    ("Memory of the neural path", lambda f: f.mib("benchmarks/model"), "{} MiB at most in `benchmarks/model`, the driver's context included"),
]


def cells_of(line):
    return [cell.strip() for cell in line.replace("\\|", "\0").strip().strip("|").split("|")]


def written_paper(text, figures):
    """The page with the figures in its column. A claim that is not there is an error of CLAIMS."""
    said = {start: (None if (value := of(figures)) is None else words.format(figures.report.figure(value))) for start, of, words in CLAIMS}
    lines, head, found = [], [], set()
    for line in text.split("\n"):
        cells = cells_of(line) if line.startswith("|") else []
        if not cells or not head:
            head = cells
        elif COLUMN in head:
            for start in said:
                if cells[0].startswith(start):
                    found.add(start)
                    if said[start] is not None:
                        cells[head.index(COLUMN)] = said[start]
                        line = "| %s |" % " | ".join(cells).replace("\0", "\\|")
        lines.append(line)
    missing = [start for start in said if start not in found]
    if missing:
        raise ValueError("docs/paper.md has no claim that begins with: " + "; ".join(missing))
    return "\n".join(lines)


def written_measurements(text, tables):
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise ValueError("docs/measurements.md has no place for a GPU day")
    return text[: begin + len(BEGIN)] + tables + text[end:]


def tables_of(report, day):
    """What docs/measurements.md says of a day: the machine, the rows that were measured, ratios, power."""
    most = report.ceilings(day)
    text = [report.machine_text(day) + "\n"]
    of_parts = {}
    for row in day.rows:
        if row.times:
            of_parts.setdefault(row.part, []).append(row)
    text += ["**%s**\n\n%s\n" % (part, report.benchmark_table(day, rows, most)) for part, rows in of_parts.items()]
    for title, table in (("Beside each other", report.ratio_table(day)), ("Kernels that are native code", report.estimates_table(day)),
                         ("Power", report.power_table(day))):
        if table:
            text.append("**%s**\n\n%s\n" % (title, table))
    return "\n".join(text)


def write_pages(report, day, docs):
    """Both pages in the folder, or neither."""
    paper, measurements = docs / "paper.md", docs / "measurements.md"
    new = [(paper, written_paper(paper.read_text(), Figures(report, day))),
           (measurements, written_measurements(measurements.read_text(), tables_of(report, day)))]
    for path, text in new:
        path.write_text(text)
