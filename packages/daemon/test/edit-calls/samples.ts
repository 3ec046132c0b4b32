/** An exact edit of a file. `old` occurs in the file once. */
export type Sample = { name: string; path: string; text: string; old: string; now: string };

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

const TYPESCRIPT = lines(
  'import { readFile } from "node:fs/promises";',
  "",
  "export type Booking = { id: string; seats: number };",
  "",
  "/** Books seats if enough are left. */",
  "export function book(left: number, wanted: number): number {",
  "  if (wanted > left) {",
  '    throw new Error("There are not enough seats.");',
  "  }",
  "  return left - wanted;",
  "}",
  "",
  "export async function load(path: string): Promise<Booking[]> {",
  '  const text = await readFile(path, "utf8");',
  "  const rows = JSON.parse(text) as Booking[];",
  "  return rows.filter((row) => row.seats > 0);",
  "}",
);

const PYTHON = lines(
  "import json",
  "from pathlib import Path",
  "",
  "",
  "class Store:",
  '    """Keeps bookings in a file."""',
  "",
  "    def __init__(self, path):",
  "        self.path = Path(path)",
  "        self.rows = []",
  "",
  "    def load(self):",
  "        if not self.path.exists():",
  "            return []",
  '        self.rows = json.loads(self.path.read_text("utf-8"))',
  "        return self.rows",
  "",
  "    def save(self):",
  "        text = json.dumps(self.rows, indent=2)",
  '        self.path.write_text(text + "\\n")',
);

const GO = lines(
  "package store",
  "",
  'import "fmt"',
  "",
  "// Count returns the number of open rows.",
  "func Count(rows []Row) int {",
  "\tcount := 0",
  "\tfor _, row := range rows {",
  "\t\tif row.Open {",
  "\t\t\tcount++",
  "\t\t}",
  "\t}",
  "\treturn count",
  "}",
  "",
  "func (r Row) String() string {",
  '\treturn fmt.Sprintf("%s: %d", r.Name, r.Seats)',
  "}",
);

const MAKEFILE = lines(
  "NAME := booking",
  "",
  "build: clean",
  "\tmkdir -p dist",
  "\tgo build -o dist/$(NAME) ./cmd",
  "",
  "test:",
  "\tgo test ./...",
  "",
  "clean:",
  "\trm -rf dist",
);

const YAML = lines(
  "name: test",
  "on: [push]",
  "jobs:",
  "  check:",
  "    runs-on: ubuntu-latest",
  "    steps:",
  "      - uses: actions/checkout@v4",
  "      - name: Install",
  "        run: npm ci",
  "      - name: Check",
  "        run: npm test",
);

const HTML = lines(
  "<!doctype html>",
  "<html>",
  "  <body>",
  '    <main class="page">',
  "      <h1>Bookings &amp; seats</h1>",
  "      <p>There are <b>12</b> seats left.</p>",
  "    </main>",
  "  </body>",
  "</html>",
);

const RUST = lines(
  "use std::fmt;",
  "",
  "pub struct Seat {",
  "    pub row: u32,",
  "    pub taken: bool,",
  "}",
  "",
  "impl fmt::Display for Seat {",
  "    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {",
  "        if self.taken {",
  '            return write!(f, "x");',
  "        }",
  '        write!(f, "{}", self.row)',
  "    }",
  "}",
);

const CSS = lines(
  ".page {",
  "  display: grid;",
  "  gap: 1rem;",
  "}",
  "",
  ".page > .seat {",
  "  color: #333;",
  "}",
  "",
  "@media (width < 40rem) {",
  "  .page {",
  "    gap: 0.5rem;",
  "  }",
  "}",
);

/** An exact edit of some lines: the lines of `old` become those of `now`. */
const sample = (name: string, path: string, text: string, old: readonly string[], now: readonly string[]): Sample => ({
  name,
  path,
  text,
  old: old.join("\n"),
  now: now.join("\n"),
});

export const samples: readonly Sample[] = [
  sample(
    "a condition in TypeScript",
    "src/book.ts",
    TYPESCRIPT,
    ["  if (wanted > left) {", '    throw new Error("There are not enough seats.");', "  }"],
    ["  if (wanted > left || wanted < 1) {", '    throw new RangeError("There are not enough seats.");', "  }"],
  ),
  sample(
    "a new line in TypeScript",
    "src/book.ts",
    TYPESCRIPT,
    ["  const rows = JSON.parse(text) as Booking[];", "  return rows.filter((row) => row.seats > 0);"],
    [
      "  const rows = JSON.parse(text) as Booking[];",
      "  if (rows.length === 0) {",
      "    return [];",
      "  }",
      "  return rows.filter((row) => row.seats > 0);",
    ],
  ),
  sample(
    "a method in Python",
    "store.py",
    PYTHON,
    ["    def load(self):", "        if not self.path.exists():", "            return []"],
    ["    def load(self):", "        if not self.path.is_file():", "            self.rows = []", "            return self.rows"],
  ),
  sample(
    "a call in Python",
    "store.py",
    PYTHON,
    ["        text = json.dumps(self.rows, indent=2)", '        self.path.write_text(text + "\\n")'],
    ["        text = json.dumps(self.rows, indent=4, sort_keys=True)", '        self.path.write_text(text + "\\n", "utf-8")'],
  ),
  sample(
    "a loop in Go",
    "store.go",
    GO,
    ["\tfor _, row := range rows {", "\t\tif row.Open {", "\t\t\tcount++", "\t\t}", "\t}"],
    ["\tfor _, row := range rows {", "\t\tif row.Open && row.Seats > 0 {", "\t\t\tcount += row.Seats", "\t\t}", "\t}"],
  ),
  sample(
    "a recipe in a makefile",
    "Makefile",
    MAKEFILE,
    ["build: clean", "\tmkdir -p dist", "\tgo build -o dist/$(NAME) ./cmd"],
    ["build: clean", "\tmkdir -p dist/bin", "\tgo build -trimpath -o dist/bin/$(NAME) ./cmd"],
  ),
  sample(
    "a step in YAML",
    ".github/workflows/test.yml",
    YAML,
    ["      - name: Install", "        run: npm ci", "      - name: Check"],
    [
      "      - name: Install",
      "        run: npm ci --ignore-scripts",
      "      - name: Build",
      "        run: npm run build",
      "      - name: Check",
    ],
  ),
  sample(
    "a paragraph in HTML",
    "index.html",
    HTML,
    ["      <h1>Bookings &amp; seats</h1>", "      <p>There are <b>12</b> seats left.</p>"],
    ["      <h1>Bookings &amp; seats</h1>", '      <p class="left">There are <b>11</b> seats left.</p>'],
  ),
  sample(
    "a branch in Rust",
    "seat.rs",
    RUST,
    ["        if self.taken {", '            return write!(f, "x");', "        }"],
    ["        if self.taken {", '            return write!(f, "taken");', "        }"],
  ),
  sample(
    "a rule in CSS",
    "page.css",
    CSS,
    [".page > .seat {", "  color: #333;", "}"],
    [".page > .seat {", "  color: #222;", "  border-radius: 4px;", "}"],
  ),
];

export const fileOf = (name: string): Sample => {
  const found = samples.find((each) => each.name === name);
  if (!found) throw new Error(`there is no sample ${name}`);
  return found;
};
