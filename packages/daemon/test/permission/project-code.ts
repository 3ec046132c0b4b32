import { execFileSync } from "node:child_process";
import vm from "node:vm";
import { readJavaScriptProject } from "../../src/permission/command/inline-code/javascript-project-code.ts";
import { readPythonProject } from "../../src/permission/command/inline-code/python-project-code.ts";
import { LIMITED } from "./inline-code.ts";
import { randomFrom } from "./nesting.ts";

/** Parts of programs. `E` is an expression, `N` a name, `T` a text, `C` a call of the project, `S` a statement. */
type Parts = Record<"texts" | "expressions" | "calls" | "statements", string>;

const PYTHON: Parts = {
  texts: `'ab'|"c/d"|'Xe'|'ab'|"c/d"|'Xe'|'ab'|"c/d"|'Xe'|'ab'|"c/d"|'Xe'|'f' 'g'|'''h'''|'\\x69'|'{0}'|'j%s'|b'k'|r'l'|u'm'`,
  expressions: `T|T|T|N|N|N|1|C|C|E + E|E * 2|E % E|(E)|[E, E]|(E, E)|{E: E}|{E, E}|E[0]|E[1:]|E[::-1]|f'{N}'|f'{E}x'|f'{E!r:>3}'|E.upper()|E.replace('X', '')|E.join([E, E])|E.split('b')|E.strip('a')|E.format(E)|E.m|E.m.n|str(E)|repr(E)|list(E)|sorted(E)|max(E, E)|sum(E)|dict(a=E)|dict(E)|len(E)|bytes(E)|chr(97)|E if E else E|E or E|E and E|not E|E == E|E in E|[E for N in E]|[C for N in E if E]|(N for N in E)|lambda N: E|json.dumps(E)|json.dumps(E, indent=E)|type(E)|enumerate([E])|zip([E], [E])|E.__name__|E.__class__|N.args[0]|str(N)|(N := E)|*E|reversed(E)|map(app.show, E)|app|app.show`,
  calls: `app.show(E)|app.show(E)|app.show(E, E)|app.show(k=E)|app.show(*E)|app.show(**{E: E})|app.it(E)|show(E)|it(E).m(E)|app.V(E)|app.V(E).m(E)|app.it(E)(E)|N(E)|N.m(E)`,
  statements: `C|C|C|print(E)|print(E, C)|N = E|N = E|N = C|N += E|N, N = E, E|N: str = E|N.m = E|N[0] = E|assert E|assert E, E|if E:\n  S|for N in E:\n  S|for N, N in [(E, E)]:\n  S|try:\n  S\nexcept Exception as N:\n  S|try:\n  app.fail(E)\nexcept ValueError as N:\n  C|def N(N, N=E):\n  S\n  return E\nN(E)|def N():\n  return E|with E as N:\n  S|while False:\n  S|class N:\n  n = E|global N|del N|from app import show as N|import app as N|return E|pprint.pprint(E)|raise ValueError(E)`,
};

const JAVASCRIPT: Parts = {
  texts: "'ab'|\"c/d\"|'Xe'|'ab'|\"c/d\"|'Xe'|'ab'|\"c/d\"|'Xe'|`h`|'\\x69'|`f${N}`|`j${E}k`",
  expressions:
    "T|T|T|N|N|N|1|C|C|E + E|E * 2|(E)|[E, E]|{ a: E }|{ [E]: E }|{ 'b/x': E }|E[0]|E[E]|E.a|E.m|E.length|E.toUpperCase()|E.replace('X', '')|E.replace('X', N)|E.concat(E)|E.slice(1)|E.split('b')|E.join('')|E.map((N) => E)|E.map(app.show)|E.filter((N) => C)|E.find(app.it)|Object.keys(E)|Object.values(E)|Object.entries(E)|JSON.stringify(E)|JSON.stringify(E, E)|JSON.stringify(E, null, 2)|String(E)|E ? E : E|E || E|E && E|E ?? E|!E|typeof E|E === E|E < E|(N = E)|(E, E)|(() => E)()|(N) => E|(N) => { S }|new app.V(E)|new Error(E)|app|app.show|E?.m|E?.(E)|[...E]|E.at(0)|E.toString()|E.constructor|E`x`|app.show`T`|console.log|function N() { return E }",
  calls:
    "app.show(E)|app.show(E)|app.show(E, E)|app.show({ a: E })|app.show(...E)|app.it(E)|show(E)|it(E).m(E)|new app.V(E).m(E)|app.it(E)(E)|N(E)|N.m(E)|E.forEach(app.show)|E.forEach((N) => { S })|[E].map(show)",
  statements:
    "C|C|C|console.log(E)|console.log(E, C)|const N = E|const N = E|let N = E|N = E|const [N, N] = E|const { a: N, m: N } = E|const N = C|if (E) { S }|for (const N of E) { S }|for (const N in E) { S }|try { S } catch (N) { S }|try { app.fail(E) } catch (N) { C }|try { S } catch { S } finally { S }|function N(N, N) { S; return E }|const N = (N) => E|const N = (N) => { S }|const N = (N = E) => { S }|{ S }|throw new Error(E)|N.m = E|delete N.m|switch (E) { case E: S }|while (false) { S }",
};

/** Makes a random program from these parts. Few names make it likely that they mean several things. */
function program(parts: Parts, random: (below: number) => number, isPython: boolean): string {
  const lists = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, text.split(/(?<!\|)\|(?!\|)/)]));
  const pick = (name: keyof Parts): string => lists[name]?.[random(lists[name].length)] ?? "";
  const name = (): string => "pqrs"[random(4)] ?? "p";
  const fill = (text: string, depth: number): string =>
    text.replaceAll(/(?<![\w$'])[ENTCS](?![\w'])/g, (sign) => {
      if (sign === "N") return name();
      if (sign === "T") return pick("texts").replaceAll(/\$\{[NE]\}/g, `\${${name()}}`);
      if (sign === "E")
        return depth > 3 ? (random(2) ? "'z'" : name()) : fill(["T", "T", "N", "C", pick("expressions")][random(5)] ?? "", depth + 1);
      if (sign === "C") return depth > 5 ? "1" : fill(pick("calls"), depth + 1);
      const inner = depth > 3 ? (isPython ? "pass" : ";") : fill(pick("statements"), depth + 2);
      return isPython ? inner.replaceAll("\n", "\n  ") : inner;
    });
  return Array.from({ length: 1 + random(3) }, () => fill(pick("statements"), 0)).join(isPython ? "\n" : ";\n");
}

/** Each of the names has a value of another kind. */
const PYTHON_START =
  "import json, pprint\nimport app\nfrom app import show, it\np = app.it(1)\nq = 'a/q'\nr = ['b/r', 'Xs/t']\ns = {'k/l': 'm/n'}\n";
const NODE_START =
  "const app = require('./app');\nconst { show, it } = app;\nlet p = app.it(1);\nlet q = 'a/q';\nlet r = ['b/r', 'Xs/t'];\nlet s = { 'k/l': 'm/n' };\n";

/** Runs programs with a module of the project whose functions note all texts that they get. */
const RUNNER = String.raw`${LIMITED}
import types
seen = []
def note(value, depth=0):
    if depth > 5: return
    if isinstance(value, (str, bytes)): seen.append(value if isinstance(value, str) else "bytes")
    elif isinstance(value, dict): [note(x, depth + 1) for pair in value.items() for x in pair]
    elif isinstance(value, BaseException): [note(x, depth + 1) for x in value.args]
    elif isinstance(value, (list, tuple, set, frozenset)): [note(x, depth + 1) for x in value]
class V:
    def __init__(self, *a, **k): note(a); note(k); self.n = "fine"
    def m(self, *a, **k): note(a); note(k); return self
    def __call__(self, *a, **k): note(a); note(k); return self
def show(*a, **k): note(a); note(k); return a[0] if a else None
def it(*a, **k): note(a); note(k); return V()
def fail(*a): note(a); raise ValueError("fine")
app = types.ModuleType("app"); app.show = show; app.it = it; app.fail = fail; app.V = V
sys.modules["app"] = app
out = []
for code in programs:
    seen.clear()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try: exec(compile(code, "c", "exec"), {"__name__": "__main__"})
        finally: signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException: pass
    out.append(list(seen))
print("\n" + json.dumps(out))
`;

function runPython(programs: readonly string[]): string[][] {
  const printed = execFileSync("python3", ["-W", "ignore", "-c", RUNNER], { input: JSON.stringify(programs), maxBuffer: 1 << 28 });
  return JSON.parse(printed.toString().trimEnd().split("\n").at(-1) ?? "[]") as string[][];
}

function runNode(code: string): string[] {
  const seen: string[] = [];
  const note = (value: unknown, depth = 0): void => {
    if (depth > 5 || value === app) return;
    if (typeof value === "string") seen.push(value);
    else if (value instanceof Error || Object.prototype.toString.call(value) === "[object Error]")
      note((value as Error).message, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) {
        if (!Array.isArray(value) && !Array.isArray((value as { length?: unknown }).length)) note(/^\d+$/.test(key) ? "" : key, depth + 1);
        note(each, depth + 1);
      }
  };
  class Value {
    readonly a = "fine";
    constructor(...given: unknown[]) {
      note(given);
    }
    m(...given: unknown[]): this {
      note(given);
      return this;
    }
  }
  const app = {
    V: Value,
    show: (...given: unknown[]) => (note(given.filter((_, i) => i === 0 || typeof given[i] !== "number")), given[0]),
    it: (...given: unknown[]) => (
      note(given),
      Object.assign((...more: unknown[]) => note(more), { m: (...more: unknown[]) => note(more) })
    ),
    fail: (...given: unknown[]) => {
      note(given);
      throw new Error("fine");
    },
  };
  const quiet = Object.fromEntries(
    "log error warn info debug table dir assert time timeEnd".split(" ").map((name) => [name, () => undefined]),
  );
  try {
    vm.runInNewContext(code, { require: () => app, console: quiet }, { timeout: 200 });
  } catch {
    return seen; // many programs fail, after what they have done before
  }
  return seen;
}

/** Names of types, and texts that the project itself makes. */
const FINE = new Set("fine string number object function undefined boolean V show it fail".split(" "));

/** Compares the texts that random programs give to the project with those that the gate has found. `accepted`: how many it can read that give some. */
export function compareProjectCode(count: number, seed: number): { accepted: number; wrong: string[] } {
  const random = randomFrom(seed);
  const wrong: string[] = [];
  let accepted = 0;
  const compare = (code: string, given: readonly string[], texts: readonly string[]) => {
    accepted += given.length > 0 ? 1 : 0;
    const more = given.filter((text) => text.length > 1 && !FINE.has(text) && !texts.includes(text)); // single characters are too short for a name
    if (more.length > 0) wrong.push(`${code}\n--> ${more.join(", ")}; expected: ${texts.join(", ")}`);
  };
  const python = Array.from({ length: count }, () => PYTHON_START + program(PYTHON, random, true)).flatMap((code) => {
    const read = readPythonProject(code);
    return read ? [{ code, read }] : [];
  });
  for (const [i, given] of runPython(python.map(({ code }) => code)).entries())
    compare(python[i]?.code ?? "", given, python[i]?.read.texts ?? []);
  for (let i = 0; i < count; i++) {
    const code = NODE_START + program(JAVASCRIPT, random, false);
    const read = readJavaScriptProject(code);
    if (read) compare(code, runNode(code), read.texts);
  }
  return { accepted, wrong };
}
