import { execFileSync } from "node:child_process";
import path from "node:path";
import vm from "node:vm";
import { readJavaScript } from "../../src/permission/command/inline-code/javascript-code.ts";
import { readPython } from "../../src/permission/command/inline-code/python-code.ts";
import type { FilesOfCode } from "../../src/permission/command/programs/program-types.ts";
import { randomFrom } from "./nesting.ts";

/** A use of a file that code made when it ran: `reads a/b`. */
type Use = string;

/** Parts of programs. `E` is an expression, `N` a name, `B` one more statement, and `U` the use of a file. */
const PYTHON = {
  texts: `'a'|'b/c'|'../d'|''|'/e'|'a.txt'|'a' 'b'|"x"|r'y'|N|N|N|f'{N}'|f'{N}/x'|f'{N}{N}'|f'{N!r}'|f'{N:>3}'|E + E|(E)|E,|os.path.join(E, E)|os.path.join('', E)|'a' if N else 'b'|str(N)|N[0]|sys.argv[0]|sys.argv[1]|sys.argv[2]|[E][0]|E.strip()|(N := E)`,
  uses: `open(E)|open(E, 'w')|open(E, mode='a')|Path(E).read_text()|(Path(E) / E).write_text('')|Path(E, E).unlink()|os.remove(E)|os.path.exists(E)|shutil.copy(E, 'k')|os.rename(E, 'k')|os.makedirs(E, exist_ok=True)|io.open(E)|open(N)|open(N)|open(N)|open(N, 'w')|open(os.path.join(N, N))|open(f'{N}/{N}')|[open(N) for N in L]|print([os.path.getsize(N) for N in L])|open(file=E)|open(*[E])|N.read_text()|N.write_text('')|(N / E).read_text()|N.open()|N.open('w')`,
  lists: `[E, E]|(E, E)|[E]|N|N|sorted([E, E])|sys.argv[1:]|[E, *N]|(E,)|E,|{E: 1}|os.listdir('g')|glob.glob('g/*')|sorted(Path('g').rglob('*'))|Path('g').iterdir()`,
  statements: `N = E|N = E|N = E|N = E,|N += E|N: str = E|N = N = E|N, N = E, E|N = L|N = L|N = Path(E)|N = Path(E) / E|N /= E|N.append(E)|N[0] = E|del N|U|U|U|U
    |for N in L:\n  B|for N in L,:\n  B|for N, N in [(E, E), (E, E)]:\n  B|for N, N in {E: E, E: 1}.items():\n  B|for N, in [[E]]:\n  B|for N in N:\n  B|for N, N in N:\n  B|for N, N in N.items():\n  B|N = {E: 1}|N = [(E, E)]
    |def N(N, N=E):\n  B\nN(E)\nN(E, E)|def N(N):\n  B\nN(E)|def N(*N):\n  B\nN(E)|N = lambda N: U\nN(E)|if N:\n  B|try:\n  B\nexcept Exception as N:\n  B|with open(E) as N:\n  B|while True:\n  B\n  break
    |for N, N, N in os.walk('g'):\n  for N in N: U|for N, N, N in os.walk('g'):\n  N[:] = [N for N in N if N]\n  for N in N: U|global N|for N in sorted(N):\n  B|for N in ['a', 'b']:\n  for N in L:\n    B`,
};

const JAVASCRIPT = {
  texts:
    "'a'|'b/c'|'../d'|'/e'|\"x\"|`y`|N|N|N|`${N}`|`${N}/x`|`${N}${N}`|E + E|(E)|path.join(E, E)|path.resolve(E, E)|N ? 'a' : 'b'|[E][0]|process.argv[1]|process.argv[2]|(N = E)|(0, E)|N.a|E.trim()|__dirname|path.join(process.cwd(), E)",
  uses: "fs.readFileSync(E)|fs.writeFileSync(E, '')|fs.readFileSync(N, 'utf8')|fs.readFileSync(N)|fs.readFileSync(N)|fs.writeFileSync(N, N)|fs.existsSync(E)|fs.unlinkSync(E)|fs.renameSync(E, 'k')|fs.copyFileSync(E, 'k')|fs.readFileSync(path.join(N, N))|fs.readFileSync(`${N}/${N}`)|L.forEach((N) => U)|L.map((N, N) => U)|L.filter((N) => U)|N.forEach((N) => { B })|fs.readFileSync(path.resolve(N, E))",
  lists:
    "[E, E]|[E]|N|N|[E, ...N]|fs.readdirSync('g')|fs.readdirSync('g').filter((N) => N)|Object.keys({ a: 1, 'b/c': 2 })|Object.keys(N)|[E].concat(N)",
  statements:
    "const N = E|const N = E|let N = E|var N = E|let N|N = E|N += E|N ||= E|const N = L|const N = L|const [N] = L|const { a: N } = { a: E }|N.push(E)|N[0] = E|N.a = E|U|U|U|U|for (const N of L) { B }|for (const N of N) { B }|for (var N of L) { B }|for (const [N, N] of [[E, E], [E, E]]) { B }|for (const [N, N] of Object.entries({ a: E })) { B }|for (const [N, N] of N) { B }|for (const N in N) { B }|const N = [[E, E]]|const N = { a: E }|function N(N, N) { B }; N(E); N(E, E)|const N = (N) => { B }; N(E)|const N = (N = E) => { B }; N()|[E].map((N) => { B })|if (N) { B }|try { B } catch (N) { B }|{ B }|switch (N) { case E: B }|N()|const N = (...N) => { B }; N(E)",
};

const partsOf = (text: string): string[] => text.split(/\n? *\|(?!\|)/);

/** Makes a random program from these parts. Few names make it likely that they mean several things. */
function program(parts: Record<keyof typeof PYTHON, string>, random: (below: number) => number, isPython: boolean): string {
  const pick = (all: string): string => {
    const list = partsOf(all);
    return list[random(list.length)] ?? "";
  };
  const name = (): string => "pqrs"[random(4)] ?? "p";
  const fill = (text: string, depth: number): string =>
    text.replaceAll(/(?<![\w$])[ELNBU](?!\w)/g, (sign) => {
      if (sign === "N") return name();
      if (sign === "E") return depth > 3 ? "'z'" : fill(pick(parts.texts), depth + 2);
      if (sign === "L") return depth > 3 ? "['z']" : fill(pick(parts.lists), depth + 2);
      if (sign === "U") return depth > 5 ? "0" : fill(pick(parts.uses), depth + 1);
      const inner = depth > 3 ? (isPython ? "pass" : ";") : fill(pick(random(2) ? parts.uses : parts.statements), depth + 2);
      return isPython ? inner.replaceAll("\n", "\n  ") : inner;
    });
  return Array.from({ length: 2 + random(5) }, () => fill(pick(parts.statements), 0)).join(isPython ? "\n" : ";\n");
}

const IMPORTS = "import os, sys, io, shutil, glob\nfrom pathlib import Path\n";
const GIVEN = ["x1", "x2/y"];
/** The file in which a half of the programs are, under its name in the call and its absolute path. */
const SCRIPT = { python: "sub/t.py", javascript: "/cwd/sub/t.js" };

/** Reads programs in Python, and limits their time and memory. */
export const LIMITED = String.raw`
import json, resource, signal, sys
class Late(BaseException): pass
def late(*a): raise Late()
signal.signal(signal.SIGALRM, late)
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
programs = json.load(sys.stdin)
`;

/** Runs programs in Python with functions that note the files which they get. */
const RUNNER = String.raw`${LIMITED}
import builtins, glob, io, os, pathlib, shutil
real, seen = open, []
def note(use, file):
    if isinstance(file, tuple): return
    seen.append(f"{use} {os.fspath(file)}")
def fake_open(file, mode="r", *a, **k):
    note("writes" if any(c in mode for c in "wax+") else "reads", file)
    return io.StringIO("text")
def noting(use, result=None, also=None):
    def f(file, *a, **k):
        note(use, file)
        if also: note(also, a[0])
        return result
    return f
def walk(top):
    note("names", top)
    dirs = ["s"]
    yield top, dirs, ["n1"]
    for d in dirs[:9]: yield os.path.join(top, d), [], ["n2"]
builtins.open = io.open = fake_open
for n in "remove unlink makedirs mkdir".split(): setattr(os, n, noting("writes"))
os.rename, shutil.copy = noting("moves", None, "writes"), noting("reads", None, "writes")
os.listdir, os.walk, glob.glob = noting("names", ["n1", "n2.txt"]), walk, lambda p: (note("names", os.path.dirname(p)), [os.path.join(os.path.dirname(p), "n1")])[1]
os.path.exists = os.path.isfile = os.path.getsize = noting("names", 1)
P = pathlib.Path
P.read_text = lambda self, *a, **k: (note("reads", self), "text")[1]
P.write_text = lambda self, *a, **k: note("writes", self)
P.unlink = lambda self, *a, **k: note("writes", self)
P.open = lambda self, mode="r", *a, **k: fake_open(self, mode)
P.rglob = P.glob = lambda self, p: (note("names", self), [self / "n1", self / "s" / "n2"])[1]
P.iterdir = lambda self: (note("names", self), iter([self / "n1"]))[1]
out = []
for name, code in programs:
    seen.clear(); sys.argv = [name, *json.loads(${JSON.stringify(JSON.stringify(GIVEN))})]
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try: exec(compile(code, "c", "exec"), {"__name__": "__main__"})
        finally: signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException: pass # also an alarm that comes after the code, before the timer is off
    out.append(list(seen))
sys.stdout = sys.__stdout__
print("\n" + json.dumps(out))
`;

/** `programs`: the first argument and the code of each. */
function runPython(programs: readonly (readonly [string, string])[]): Use[][] {
  const printed = execFileSync("python3", ["-W", "ignore", "-c", RUNNER], { input: JSON.stringify(programs), maxBuffer: 1 << 28 });
  return JSON.parse(printed.toString().trimEnd().split("\n").at(-1) ?? "[]") as Use[][];
}

function runJavaScript(code: string, isScript: boolean): Use[] {
  const seen: Use[] = [];
  const note = (use: string, file: unknown) => {
    if (typeof file === "string") seen.push(`${use} ${file}`);
    else throw new Error("no name of a file");
  };
  const fs = {
    readFileSync: (file: unknown) => (note("reads", file), "text"),
    writeFileSync: (file: unknown) => note("writes", file),
    existsSync: (file: unknown) => (note("names", file), true),
    unlinkSync: (file: unknown) => note("writes", file),
    readdirSync: (file: unknown) => (note("names", file), ["n1", "n2.txt"]),
    renameSync: (file: unknown, to: unknown) => (note("moves", file), note("writes", to)),
    copyFileSync: (file: unknown, to: unknown) => (note("reads", file), note("writes", to)),
  };
  const process = { argv: ["node", ...(isScript ? [SCRIPT.javascript] : []), ...GIVEN], cwd: () => "/cwd" };
  const paths = {
    join: (...parts: string[]) => path.posix.join(...parts),
    resolve: (...parts: string[]) => path.posix.resolve("/cwd", ...parts),
  };
  try {
    vm.runInNewContext(code, { fs, path: paths, process, __dirname: isScript ? path.dirname(SCRIPT.javascript) : "." }, { timeout: 200 });
  } catch {
    return seen; // many programs fail, after what they have done before
  }
  return seen;
}

/** True if the paths that the gate has found cover a use. */
function isCovered(use: Use, { paths }: FilesOfCode): boolean {
  const [, kind = "", name = ""] = /^(\w+) (.*)$/s.exec(use) ?? [];
  const at = (file: string) => path.posix.resolve("/cwd", file);
  return paths.some(({ word, use: found }) => {
    const isSame = at(word.text) === at(name);
    const isBelow = `${at(name)}/`.startsWith(at(word.text) === "/" ? "/" : `${at(word.text)}/`);
    if (kind === "names") return isSame || ((found === "searches" || found === "names") && isBelow);
    if (kind === "reads") return (isSame && /^(reads|moves|searches)$/.test(found)) || (found === "searches" && isBelow);
    return isSame && (kind === "moves" ? found === "moves" : found === "writes");
  });
}

/** Compares what random programs do with what the gate expects. `accepted`: how many the gate can read and that use a file. */
export function compareCode(count: number, seed: number): { accepted: number; wrong: string[] } {
  const random = randomFrom(seed);
  const wrong: string[] = [];
  let accepted = 0;
  const compare = (code: string, uses: readonly Use[], read: FilesOfCode) => {
    accepted += uses.length > 0 ? 1 : 0;
    const more = uses.filter((use) => !isCovered(use, read));
    if (more.length > 0)
      wrong.push(`${code}\n--> ${more.join(", ")}; expected: ${read.paths.map(({ use, word }) => `${use} ${word.text}`).join(", ")}`);
  };
  const python = Array.from({ length: count }, () => IMPORTS + program(PYTHON, random, true)).flatMap((code) => {
    const name = random(2) === 0 ? SCRIPT.python : "-c";
    const read = readPython(code, [name, ...GIVEN]);
    return read ? [{ name, code, read }] : [];
  });
  for (const [i, uses] of runPython(python.map(({ name, code }) => [name, code])).entries()) {
    const { code, read } = python[i] ?? { code: "", read: { paths: [], imports: [] } };
    compare(code, uses, read);
  }
  for (let i = 0; i < count; i++) {
    const code = program(JAVASCRIPT, random, false);
    const isScript = random(2) === 0;
    const read = isScript
      ? readJavaScript(code, ["", SCRIPT.javascript, ...GIVEN], { folder: path.dirname(SCRIPT.javascript) })
      : readJavaScript(code, ["", ...GIVEN]);
    if (read) compare(code, runJavaScript(code, isScript), read);
  }
  return { accepted, wrong };
}
