import vm from "node:vm";
import { inlineCodeEffects } from "./inline-code.ts";
import { literal } from "../words/word.ts";
import { expect, test } from "vitest";
import { readJavaScript } from "./javascript-code.ts";
import { readPython } from "./python-code.ts";

const readingCode = (language: "javascript" | "python", code: string) => (language === "python" ? readPython(code) : readJavaScript(code));

const paths = (language: "javascript" | "python", code: string) =>
  readingCode(language, code)?.paths.map(({ word, use }) => `${use} ${word.text}`);

test.each([
  ["console.log([1, 2].map((x) => x * 2).join('/'), (1 + 2) / 3)", []],
  ["const fs = require('fs'); console.log(JSON.parse(fs.readFileSync('a.json', 'utf8')).name)", ["reads a.json"]],
  ["import { readFileSync } from 'node:fs'; console.log(readFileSync('b.txt', 'utf8').length)", ["reads b.txt"]],
  ["const { readFileSync: r, existsSync } = require('fs'); console.log(existsSync('c'), r('b.txt', 'utf8'))", ["names c", "reads b.txt"]],
  ["console.log(require('./package.json').version)", ["reads ./package.json"]],
  ["console.log(`${'a-b'.replace(/-/g, '_')}`)", []],
  ["let a = 1\nlet { b, c: [d] } = { b: 1, c: [2] }\nfor (let [x, y] of [[1, 2]]) console.log(a, b, d, x, y)", []],
  ["const n = {}; for (const k of ['a', 'b']) n[k] = (n[k] || 0) + 1; console.log(n)", []],
  [
    "const fs = require('fs'), p = `src/${'a'}.ts`; let s = fs.readFileSync(p, { encoding: 'utf8' }); s = s.replace('a', 'b'); fs.writeFileSync(p, s)",
    ["reads src/a.ts", "writes src/a.ts"],
  ],
  ["for (const f of ['a', 'b']) console.log(fs.readFileSync(path.join('d', f + '.md'), 'utf8').length)", ["reads d/a.md", "reads d/b.md"]],
  [
    "function f(a) { for (let i = 0; i < a.length; i++) { const x = a[i]; x.n = f(x) } }\ntry { f([]) } catch (e) { throw new Error(e.message) }",
    [],
  ],
  ["const o = { a: [1] }, k = 'a', v = o[k]; console.log(v.length, o[k].map((x) => x + 1)); delete o.a", []],
  ["let p = 'a'; if (x) p = 'b'; fs.readFileSync(p)", ["reads a", "reads b"]],
  ["const load = (p) => JSON.parse(fs.readFileSync(`${p}.json`)); console.log(load('a'), load('b'))", ["reads a.json", "reads b.json"]],
  ["const n = ['a'].reduce((m, x) => { m[x] = (m[x] || 0) + 1; return m }, {}); console.log(Object.entries(n).length)", []],
  [
    "const p = JSON.parse(fs.readFileSync('package.json')); for (const k of Object.keys(p.scripts)) p.scripts[k] = `${p.scripts[k]} x`",
    ["reads package.json"],
  ],
  ["const f = path.resolve(process.cwd(), 'src', 'a.ts'); fs.writeFileSync(f, '')", ["writes src/a.ts"]],
  ["const s = ['a'].map((k) => pkgs[k].version); if (1 < 2 && s.length > 3) console.log(s)", []],
  ["const url = 'a'; for (const [f, g] of [[url, 'b']]) console.log(fs.readFileSync(f), g)", ["reads a"]],
  ["for (const [f, r] of Object.entries({ 'a.ts': [['x', 'y']] })) for (const [x, y] of r) fs.writeFileSync(f, x + y)", ["writes a.ts"]],
  ["const l = ['a', 'b']; l.forEach((p) => fs.writeFileSync(p, '')); console.log(l.map((p, i) => p + i))", ["writes a", "writes b"]],
  [
    "for (const n of fs.readdirSync('src').filter((f) => f.endsWith('.ts'))) fs.readFileSync(path.join('src', n))",
    ["names src", "searches src/"],
  ],
  ["import { readFile } from 'node:fs/promises'; console.log(await readFile('a', 'utf8'))", ["reads a"]],
  ["const fs = require('fs').promises; (async () => { await fs.writeFile('a', await fs.readFile('b')) })()", ["writes a", "reads b"]],
  [
    "fs.mkdirSync('a', { recursive: true }); fs.copyFileSync('b', 'c'); fs.unlinkSync('d')",
    ["writes a", "reads b", "writes c", "writes d"],
  ],
  ["let s = ''; process.stdin.on('data', (d) => (s += d)).on('end', () => console.log(s.length))", []],
  ["const assert = require('assert'); assert(true); assert.equal(1, 1); setTimeout(() => console.log(new URL('a:b').href), 1)", []],
  ["let i; for (i = 0; i < 3; i++) console.log([1][i], process.env.npm_config_x); var n = 0; console.log([1][n].x)", []],
  ["fs.readFileSync(path.join(__dirname, 'a')); fs.readFileSync(path.resolve(process.cwd(), 'src', '/b'))", ["reads a", "reads /b"]],
  ["switch (process.argv[2]) { case 'a': process.exitCode = 1; break }\nprocess.stdout.write(`${[1][0]}`)", []],
  ["const fs = require('fs'); fs.writeFileSync('a.ts', fs.readFileSync('a.ts', 'utf8').replace('a', 'b'))", ["writes a.ts", "reads a.ts"]],
])("%s only reads", (code, reads) => expect(paths("javascript", code)).toEqual(reads));

test.each([
  'const { readFileSync: x = 1 } = require("fs"); console.log(x("secrets/db.txt", "utf8"))',
  'function g() { return f }\ng().rmSync("a"); const f = require("fs")',
  "const { env } = process; console.log(env)",
  "console.log(process.env.valueOf())",
  'process.env.TZDIR = "a"; process.env.TZ = "b"',
  'declare\nvar a = "crypto"; function a() {}\nconst f = () => 1, k = "constr" + "uctor", b = 1;\nf[k] < b > ("x")()',
  "f(a < b, c > (d))",
  "a < b > `x`",
  "a < b > /* x */ (c)",
  "declare\nvar a = 1",
  'const j = crypto.createHash("md5"); j._events = f; j.listeners("constructor")[0]("x")()',
  'crypto.createHash("md5").on("x", f)',
  'h.emit("constructor", "x")',
  'process.stdin.resume().listeners.call({}, "constructor")',
  "const r = process.stdin.resume().map((x) => x)",
  "console.log(process.stdin.resume())",
  'f(() => process.stdin.on("data", f))',
  `JSON.parse("\\"x\\"", f[k])()`,
  'process.stdout.write("x", f[k])',
  'let F = (process.exitCode = f[k]); F("x")()',
  'const w = () => fs.writeFileSync(`${d}.txt`, "x"); w(); var d = "a"',
  'let d; fs.readFileSync(`${d}`); d = "a"',
  "util.inspect.custom",
  'let p = "a"; if (x) p = y; fs.readFileSync(p)',
  'let p = "a"; p += x; fs.readFileSync(p)',
  'const f = (p) => fs.readFileSync(p); f("a"); g(f)',
  'const f = (p) => fs.readFileSync(p); f(...["a"])',
  'const f = (p) => fs.readFileSync(p); f("a"); f.call(0, "b")',
  'const l = ["a"]; l.push(x); for (const p of l) fs.readFileSync(p)',
  'const l = ["a"], m = l; m[0] = x; l.forEach((p) => fs.readFileSync(p))',
  "l.forEach((p) => fs.readFileSync(p))",
  'for (const n of fs.readdirSync("src")) fs.writeFileSync(`src/${n}`, "")',
  'for (const n of fs.readdirSync("src")) fs.readFileSync(`src/${n}/../../x`)',
  'for (const n of fs.readdirSync("src")) fs.readFileSync(`../${n}..`)',
  'for (const n of fs.readdirSync("src")) require(`./src/${n}/x.json`)',
  'process.argv.push("x"); fs.readFileSync(process.argv[1])',
  "process.argv[1] = x",
  "fs.readFileSync(process.argv[9])",
  'const s = process.stdin.on("data", f); s.path = "x"',
  'const { stdin } = process; stdin.path = "x"',
  "process.stdin.pipe(x)",
  'fs.readFile("a", f)',
  'fs.promises.open("a")',
  "fs.promises",
  'const f = fs.promises.writeFile; f("a", "")',
  'JSON.stringify(f[k], (n, v) => v("x")())',
  'const S = String; S.raw = (a, v) => v("x")(); String.raw`${f[k]}`',
  'f[k] instanceof { [h]: (v) => v("x")() }',
  "[util.inspect][0].custom",
  "[assert.ok][0].CallTracker",
  'const { ok } = require("assert"); f(ok)',
  "h[k].getEventListeners(h, k)",
  'const h = crypto.createHash("md5"); h[e] = () => 1',
  "Object.values(f[k])",
  "g({ ...f[k] })",
  "g(...f[k])",
  'const b = 1; 1 < b > /1, "p", console.log(x), 1/u',
  "F = f[k] < b >\nc",
  'require("./.json")',
  'require("./sub/.json")',
  'fs.readFileSync(process.cwd() + "-secret/x.txt")',
  'fs.readFileSync(path.resolve(".") + "x")',
  'fs.readFileSync(path.join("sub", process.cwd()))',
  'fs.readFileSync(path.resolve("/etc/foo", process.cwd(), "a"))',
  "process.arg\\u0076.splice(1, 1); fs.readFileSync(process.argv[1])",
  'fs.readFileSync("a" + x); for (var x of ["b"]) ;',
  'fs.writeFileSync("x" + x, "d"); for (var x of []) ;',
  'fs.writeFileSync("a", ...["x", { mode: 511 }])',
  "a[k][0].x = 1",
  "o.reduce((m, x) => { m[x] = 1; return x }, {})",
  "const l = [['a', 'b']]; for (const r of l) r[0] = x; for (const [f, g] of l) fs.readFileSync(f)",
  "const o = { a: 1 }; o[x] = 2; for (const k of Object.keys(o)) fs.readFileSync(k)",
  "for (const [k] of Object.entries({ [x]: 1 })) fs.readFileSync(k)",
  'const NaN = (v) => v("x")(); NaN(s[k])',
  "const undefined = f",
  "run < (x) => b > (f[k]).length",
  "let r = 1; run < r > (f[k]).length",
  "process['argv'].splice(1, 1); fs.readFileSync(process['argv'][1])",
  "process.argv.splice(1, 1) // .argv[1]\nfs.readFileSync(process.argv[1])",
  "for (const [p] of Object.keys({ '/ok/': 1 })) fs.readFileSync(p + 'x')",
  "const o = { reduce: (f) => f('/x') }; o.reduce((p) => { fs.readFileSync(p); return p }, 'a')",
  "['x'].reduce(async (p) => { fs.writeFileSync(`${p}`, ''); return p }, 'a')",
  "fs.writeFileSync('\\ud800.txt', '')",
  "Object.assign(h, { x: 1 })",
  "Object.assign({}, { [k]: 1 })",
  "const o = { a: h }; o.a[e] = f",
  "JSON.parse('1', () => h)[k] = 1",
  "a[k].push('x')",
  "fs.renameSync('sub/l', '../ws/l'); fs.writeFileSync('l/victim', 'x')",
  "fs.mkdirSync('../a/../ws/b', { recursive: true })",
  "fs.renameSync('sub/l', 'l'); fs.writeFileSync('l', 'x')",
  "{ const url = 1 } url.x",
  "var url = 1",
  'setTimeout("x"); const t = setTimeout',
  'for (const p of ["a"]) for (const { p } of x) fs.readFileSync(p)',
  'const p = "a"; f((p) => fs.readFileSync(p))',
  'fs.readFileSync("a", { flag: "w" })',
  'const v = a[k]; v("x")',
  "const v = a[k]; f(v)",
  'let i = 0; i = x; a[i]("x")',
  'let i = 0; for (i of x) a[i]("x")',
  "a[k].x = 1",
  "a[k].map((x, i, all) => all)",
  "a[k].map((...all) => all)",
  "Array.isArray = f",
  "const A = Array",
  "Error.prepareStackTrace = f",
  "e.prepareStackTrace = f",
  "this.x",
  "class A {}",
  'import("fs")',
  "export const x = 1",
  "with (a) b()",
  "1 <!-- a",
  'const { readFileSync } = require("fs"); const x = readFileSync; console.log(x("secrets/db.txt", "utf8"))',
  'fs = { readFileSync: eval }; fs.readFileSync("a.txt")',
  'fs.writeFileSync(x, "a")',
  'const {join: of} = require("path");\nof["const" + "ructor"]("x")()',
  'import {join as of} from "path"; of["const" + "ructor"]("x")()',
  'let a = () => 1, z = a as const\n["const" + "ructor"];\nz("x")()',
  "type\nq = 1; type Q = 1",
  'let a: of\n["const" + "ructor"]',
  'var of\nvar x = 1\n++of\nvar u = "_", L = of[u + "lookupGetter"]; L("x")',
  'var let\nvar x = 1\n++let\nvar G = (let["a" + "b"]); G()',
  'var let\nfoo = 1\nx = let["a" + "b"]; console.log(x.call())',
  'for (const x of of["a" + "b"]) x.y = 1; z = of["a" + "b"].z; of["a" + "b"].z = 1',
  'for (const x of y, of["a" + "b"]) {}',
  'console.log(fs.readFileSync("file:/etc/passwd", "utf8"))',
  'fs.writeFileSync("file:a", "x")',
  "console.log(new o[k] == 1)",
  'const f = (v) => v("x")(), a = f, k = "const" + "ructor";\nif (0) {} else (console.log) = f;\nconsole.log(a[k])',
  "else (path.join) = f",
  "for (const q of (console.log) = f) {}",
  'const f = (s, v) => v("x")(), a = f, k = "const" + "ructor";\nf`${a[k]}`',
  'k = "con" + "structor"; o = { console: { log: (f) => f("x")() } }; o.console.log(s[k])',
])("%s may do more", (code) => expect(paths("javascript", code)).toBeUndefined());

test.each([
  ["import json, sys\nprint(json.load(sys.stdin)['a'])", []],
  [
    "from pathlib import Path\nfor p in Path('src').rglob('*.py'):  # all\n    print(f'{p.name:>20} {len(p.read_text())}')",
    ["searches src"],
  ],
  ["from os import path as p, getcwd; import urllib.parse; print(p.exists('a'), getcwd(), urllib.parse.quote('b'))", ["names a"]],
  ["print(open('a.txt', encoding='utf-8').read())", ["reads a.txt"]],
  ["s = open('a.ts').read(); open('a.ts', 'w', encoding='utf-8').write(s.replace('a', 'b'))", ["reads a.ts", "writes a.ts"]],
  ["open('a.ts', mode='r+').write('x')", ["reads a.ts", "writes a.ts"]],
  ["import ast\nprint([n for n in ast.walk(t) if isinstance(n, (ast.Call, ast.Name)) or isinstance(n, ast.Import)])", []],
  ["import math, re, sys\nprint(list(map(math.sqrt, [1])), re.findall('a', 'b', re.I | re.M), sys.argv[1:], math.pi)", []],
  ["from pathlib import Path\np = Path('a/b.ts')\np.write_text(p.read_text().replace('a', 'b', 1))", ["writes a/b.ts", "reads a/b.ts"]],
  [`open('x" ).lock', 'w').write('hi')`, ['writes x" ).lock']],
  ["from pathlib import Path\np = Path('docs')\nprint(f\"{(p/'../secrets/a.json').read_text()}\")", ["reads docs/../secrets/a.json"]],
  ["p = 'src/a.ts'\ns = open(p).read()\nassert 'x' in s\nopen(p, 'w').write(s.replace('x', 'y'))", ["reads src/a.ts", "writes src/a.ts"]],
  ["p = 'a'\nif x: p = 'b'\nopen(p)", ["reads a", "reads b"]],
  ["def load(p):\n  with open(p) as f: return f.read()\nprint(load('a'), load('b'))", ["reads a", "reads b"]],
  ["FILES = ['a', 'b']\nfor p in FILES: open(p)\nfor p in FILES: open(p, 'w')", ["reads a", "reads b", "writes a", "writes b"]],
  ["for f, a, b in [('a', 'x', 'y'), ('b', 'z', 'w')]: open(f, 'w')", ["writes a", "writes b"]],
  ["edits = {'a': [('x', 'y')], 'b': []}\nfor f, reps in edits.items():\n  for x, y in reps: open(f)", ["reads a", "reads b"]],
  ["def sub(p, a, b, n=1):\n  open(p, 'w')\nsub('a', 1, 2)\nsub('b', 1, 2, n=3)", ["writes a", "writes b"]],
  ["import os\nfor r, d, n in os.walk('sec'): open(r + 'rets/db.txt')", ["names sec", "reads secrets/db.txt", "searches sec/"]],
  ["import os\nopen(os.path.join('', 'tmp/x')); open(os.path.join('a/', 'b'))", ["reads tmp/x", "reads a/b"]],
  ["import sys\nfor p in sys.argv[1:]: open(p)", []],
  ["try:\n  import yaml\nexcept (ImportError, OSError) as e: print(e)\nexcept SyntaxError as e: print(e.msg)", []],
  ["import ast\nprint(ast.dump(ast.parse(open('a.py').read(), mode='exec')))", ["reads a.py"]],
  ["import os\nos.rename('b', 'c')", ["moves b", "writes c"]],
  ["import glob\nfor p in sorted(glob.glob('src/*.py')): print(len(open(p).read()))", ["searches src"]],
  ["from pathlib import Path\nfor p in Path('src').rglob('*.py'):\n  with p.open() as f: print(f.read())", ["searches src"]],
  [
    "import os\nfor r, d, n in os.walk('src'):\n  d[:] = [x for x in d if x != '.git']\n  for f in n: print(open(os.path.join(r, f)).read())",
    ["names src", "searches src/", "searches src/"],
  ],
  ["import os, shutil\nos.makedirs('a', exist_ok=True); shutil.copy('d', 'e')", ["writes a", "reads d", "writes e"]],
  ["from pathlib import Path\nroot = Path.cwd()\n(root / 'a').unlink()", ["writes ./a"]],
  ["for f in ['a.md', 'b.md']:\n    with open(f'docs/{f}') as g: print(g.read())", ["reads docs/a.md", "reads docs/b.md"]],
  ["import os\nfor f in ('a', 'b' 'c'): print(os.path.getsize(os.path.join('d', f)))", ["names d/a", "names d/bc"]],
  ["from pathlib import Path\nroot = Path('src')\n(root / 'a.ts').write_text('x'); print((root / 'b').name)", ["writes src/a.ts"]],
  ['s = """open(\'x\')"""\nprint(s, f"{\'a\'!r:>{8}}")', []],
  ["open('cmd/main.go', 'w').write('x')", ["writes cmd/main.go"]],
])("%j only reads", (code, reads) => expect(paths("python", code)).toEqual(reads));

test.each([
  "open('json.py', 'w').write('x'); import json",
  "open('_x/a.py', 'w').write('x')",
  "open(x, 'w').write('x')",
  "f = open; f('a', 'w')",
  "open('a', 'w', opener=f)",
  "open('a', **{'mode': 'w'})",
  "from pathlib import Path\nPath('a').replace('b' if 1 else lambda a, b: 0)",
  "from pathlib import Path\nPath('a').replace(lambda a, b: 0)",
  "import re\nfrom pathlib import Path\nre.compile = lambda *a: r\nprint([p.name for p in Path('src').glob('*.md')])",
  "import re\nfor re.compile in [f]: pass",
  "import re\n(re.compile, x) = (f, 1)",
  "import re\nprint([1 for (re.compile, x) in [(f, 1)]])",
  "import re\nlist(1 for y, re.compile, z in [(1, f, 2)])",
  "import re\ny = f\n(re.compile) = y",
  "import re\ny = f\n(re.compile, z) = y, 1",
  "import re\npass\n(re.compile) = y",
  "import re\nprint(re.compile) = f",
  "import re\nre.compile: int = f",
  "import re\nwith a as re.compile: pass",
  "from pathlib import Path; Path('a').replace('b')",
  "from pathlib import Path; Path('a').replace('b',)",
  "from pathlib import Path; Path('a').replace(*['b'], **{})",
  "from pathlib import Path; Path('a').replace('b', *[])",
  "from pathlib import Path; [p.write_text('x') for p in Path('src').rglob('*.py')]",
  "from pathlib import Path; [p.write_text('x') for p in Path('src').iterdir()]",
  "from pathlib import Path; [p.write_text('x') for p in y]",
  "type('X', (), {})",
  "p = 'a'\nif x: p = y\nopen(p)",
  "def f(p): open(p)\nf('a')\nf(x)",
  "def f(p): open(p)\nf(*['a'])",
  "def f(p): open(p)\nf('a'); g(f)",
  "def f(p, q='a'): open(q)\nf('a', x)",
  "f = lambda p: open(p)\nf('a')",
  "import os\nfor r, d, n in os.walk('src'):\n  d.append('../..')\n  for f in n: open(os.path.join(r, f))",
  "import os\nfor r, d, n in os.walk('src'):\n  n.append('../x')\n  for f in n: open(os.path.join(r, f))",
  "import os\nfor r, d, n in os.walk('src'):\n  for f in n: open(os.path.join(r, '..', f))",
  "import os\nfor r, d, n in os.walk('src'):\n  for f in n: open(os.path.join(r, f), 'w')",
  "import os\nfor r, d, n in os.walk(x): open(r)",
  "import os\nfor n in os.listdir('src'): open('../' + n + '..')",
  "import sys\nsys.argv[1] = x\nopen(sys.argv[1])",
  "import sys\nsys.argv.insert(1, x)\nopen(sys.argv[1])",
  "from sys import argv\nargv[1] = x",
  "l = ['a']\nl.append(x)\nfor p in l: open(p)",
  "l = ['a']\nl += x\nfor p in l: open(p)",
  "import glob\nfor p in glob.glob('src/*'): open(p, 'w')",
  "import glob\nglob.glob('../*')",
  "import glob\nglob.glob('*', root_dir='/etc')",
  "import glob\ng = glob.glob\ng('/etc/*')",
  "from pathlib import Path\nfor p in Path('src').rglob('*'): p.open('w')",
  "from pathlib import Path\nfor p in sorted(x): open(p)",
  "sorted = f\nfrom pathlib import Path\nfor p in sorted(Path('src').rglob('*')): open(p)",
  "from pathlib import Path\np: __import__('os').system('id') = Path('a')",
  "import sys\nprint(len(sys.argv))\nfor p in sys.argv[1:]: open(p)",
  "import sys  # argv\nfor p in sys.argv[1:]: open(p)",
  "l = ['a']\nfor x in l,: x.append('b')\nfor p in l: open(p)",
  "p = 'a/',\nopen(f'{p}/../../b')",
  "l = ['a'],\nfor p in l: open(p)",
  "for p in ['a'],: open(p)",
  "import os\nfor r, d, n in os.walk('src'):\n  d[:] = [x for x in d if x] + ['../b']\n  for f in n: open(os.path.join(r, f))",
  "import os\nfor r, d, n in os.walk('src'):\n  # d[:] = [x for x in d if x]\n  d.append('../b')\n  for f in n: open(os.path.join(r, f))",
  "import os\nfor r, d, n in os.walk('src'):\n  d[:] = [x for x in d if x for x in ['../b']]\n  for f in n: open(os.path.join(r, f))",
  "from itertools import accumulate as sorted\nfor p in sorted(['a'], initial='b'): open(p)",
  "from pathlib import Path as float\n(float('docs') / x).read_text()",
  "import os\nopen('d/__init__.py', 'w').write('x')\nos.rename('d', 'decimal')",
  "raise ImportError('x', name='evil', name_from='y')",
  "f = ModuleNotFoundError",
  "raise SyntaxError('x', ('secret.txt', 1, 1, 'a b', 1, 2))",
  "import ast\np = ast.parse\np('x y', 'secret.txt')",
  "from ast import parse\nlist(map(parse, ['x y'], ['secret.txt']))",
  "import os\nos.rename('sub/l', 'l')\nos.rename('l/victim', 'x')",
  "import os\nos.rename('sub/l', '/abs/ws/l')\nopen('l/victim')",
  "import shutil\nshutil.move('sub/l', '.')\nopen('l/victim')",
  "import os\nos.makedirs('../a/../ws/b', exist_ok=True)",
  "import os\nos.makedirs('a/new/../../b')",
  "from pathlib import Path\nPath('../a/../ws/b').mkdir(parents=True)",
  "from pathlib import Path\nPath.cwd(__import__('os').system('id'))",
  "from pathlib import Path\nc = Path.cwd(f(1)) / 'x'",
  "import glob\nglob.glob('*', recursive=__import__('os').system('id'))",
  "import shutil\nshutil.move('sub/json', '.')",
  "import os, shutil\nfor n in os.listdir('sub'): shutil.copy('sub/' + n, '.')",
  "open('.venv/lib/python3.11/site-packages/yaml.py', 'w')",
  "import ast\nast.parse('x y', 'secret/key.pem')",
  "import ast\nast.parse(x, filename='a')",
  "def sorted(l): l.append('b')\na = ['x']\nfor y in sorted(a): pass\nfor z in a: open(z)",
  "for a, b, c, d in [('f', *x, *y)]: open(b)",
  "import os\nos.rename('sub/l', 'b')\nopen('../w/b')",
  "import os, glob\nos.rename('sub/l', 'b.txt')\nfor f in glob.glob('*.txt'): open(f)",
  "import zipfile\nz = zipfile.ZipFile('a.zip')\nz.write('/etc/passwd')",
  "from pathlib import Path\nfor p in Path('src').glob('?.txt'): p.read_text()",
  "import shutil\nshutil.copy('sub/fractions.py', '.')",
  "'{0\\x2e__globals__}'.format(f)",
  "import os\nos.rename('sub/l', 'l')\nopen('l', 'w')",
  "import os\nos.rename('docs', 'd')\nopen('d/a')",
  "import shutil\nshutil.copyfile('l', 'b', follow_symlinks=False)",
  "import os\nos.unlink('x', dir_fd=3)",
  "import sys\nopen(sys.argv[010])",
  "for p, q in [('a', 'b'), ('c',)]: open(p)",
  "l = [['a', 'b']]\nfor r in l: r[0] = x\nfor p, q in l: open(p)",
  "d = {'a': 1}\nd[x] = 2\nfor k, v in d.items(): open(k)",
  "for k, v in {'a': 1, **x}.items(): open(k)",
  "def f(*a, p): open(p)\nf('a', p=x)",
  "import os\nos.rename(x, 'a')",
  "import os\nos.rename('a', x)",
  "import os\nos.remove(*x)",
  "import os\nm = os.remove\nm('a')",
  "p = 'a'\nfor p in x: open(p)",
  "p = 'a'\n(p := x)\nopen(p)",
  "p = 'a'\nf(p := x)\nopen(p)",
  "p = 'a'\nwith x as p: open(p)",
  "p = 'a'\n[open(p) for p in x]",
  "p = 'a'\nprint(f'{[open(p) for p in x]}')",
  "p += 'a'\nopen(p)",
  "for p, in [x]: open(p)",
  "f'\\{eval(1)}'",
  "from pathlib import Path\nlen = lambda x: '../a'\nprint((Path('b') / len(1)).read_text())",
  "from pathlib import Path\np = Path('a')\np /= '../b'\np.read_text()",
  "from pathlib import Path\nprint((sum([], Path('a')) / '../b').read_text())",
  "from pathlib import Path\nf = Path('a').write_text\nf('x')",
  "from pathlib import Path\nP = Path\nP('a')",
  "from pathlib import Path\np = p / 'x'\np.read_text()",
  "'{0.a}'.format(x)",
  "x = 'a{0.b}'\nx.format(x)",
  "@f\ndef g(): pass",
  "class A: pass",
  "print 'x'",
])("%j may do more", (code) => expect(paths("python", code)).toBeUndefined());

/**
 * Code that the reader would notice, and the parts that may hide it: a text, a pattern, a comment, or something that only looks like one.
 */
const SINKS = [
  'eval("seen()")',
  '(eval)("seen()")',
  'Function("seen()")()',
  '(()=>1)["con"+"structor"]("seen()")()',
  'require("child_process")',
  '["con"+"structor"]("seen()")()',
];
const HIDING: readonly (readonly [string, string])[] = [
  ['/"/;', ';/"/'],
  ["/'/,", ",/'/"],
  ["/`/;", ";/`/"],
  [' /* " */;', ';/* " */'],
  ["<!-- `\n", "\n<!-- `"],
  ["\n--> `\n", "\n--> `"],
  [" / ", " / 1"],
  [" / 1; ", " / 1"],
  ["`${", "}`"],
  ["`${[/'/, {a:1}, ", ", /'/]}`"],
  ["[", "]"],
  ["?.[", "]"],
  ["(", ")"],
];
const BEFORE =
  "{} [] (1) a 1 a++ a-- if(1) while(0) for(const~a~of~[1]) return~ else~ do~ 'a' `a` /a/g => x=> ! , ; = + ( [ { : ? typeof~ a~in~ case~ break~ void~ void a~instanceof~ try{}finally{} let~ await~ ...~ ?? a?. b.of b.in of let ! ** -~ ~ ) ] }".split(
    " ",
  );
const AROUND = [
  "",
  ";",
  "\n",
  "let a=1;",
  "let b={of:()=>1,in:()=>1};",
  "let of=()=>1;",
  "var let=()=>1;",
  "var a;",
  "({",
  "})",
  "1;",
  "a",
  "/",
  '"',
  "console.log(1);",
];

test("no code that counts as harmless runs anything else, however it is composed", () => {
  let seed = 7;
  const draw = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const reached: string[] = [];
  let allowed = 0;
  for (let round = 0; round < 40_000; round++) {
    const one = (list: readonly string[]) => (list[draw(list.length)] ?? "").replaceAll("~", " ");
    const [open, close] = HIDING[draw(HIDING.length)] ?? ["", ""];
    const code = one(AROUND) + one(BEFORE) + one(["", ...BEFORE]) + open + one(SINKS) + close + one(AROUND);
    const read = readingCode("javascript", code);
    if (!read) continue;
    allowed += 1;
    const seen = () => void reached.push(code);
    try {
      new vm.Script(code).runInNewContext({ seen, require: seen }, { timeout: 100 });
    } catch {
      // Most of these texts are not programs, or fail.
    }
  }
  expect(allowed).toBeGreaterThan(50);
  expect(reached).toEqual([]);
});

test("the value of an entry with a computed name is never called", () => {
  const entries = "s[k]|(s[k])|s[k]??0|(s[k]||0)|(s[k]??0)+1|s[k]===1|1===s[k]|s[k]=1|s[k]++|s[k],1|s[k][k]|n[k]=s[k]|s?.[k]".split("|");
  const places =
    "_ x=_ x=(_) console.log(x=_) console.log(_) console.log(_,1) console.log(1,_,x) n={a:_} n=[_] console.log(n={a:_}) console.log(x=[_]) f(_) x=f(_)+1 x=g(_) x=`${_}` `${x=_}` n[k]=_ n.a=_ [x]=[_] x=y=_ for(x~of~[_]); x=()=>_ if(x=_)0 console.log((x=_)) console.log(y=>x=_) x=1?_:2 n={f(){return~_}} console.log(_)?x:y console[k]=_";
  const calls = ["x", "n.a", "n[0]", "n[k]", "x()", "y", "n.f()", "s[k]"].map((name) => `${name}("seen()")()`);
  const allowed: string[] = [];
  for (const place of places.split(" "))
    for (const entry of entries)
      for (const call of [...calls, ...calls.map((each) => `console.log(${each})`)]) {
        const use = place.replaceAll("~", " ").replace("_", entry);
        const code = `k="con"+"structor",s=()=>1,n={},x=y=0,f=v=>v,g=v=>{x=v};${use};${call}`;
        if (readingCode("javascript", code) === undefined) continue;
        allowed.push(code);
      }
  expect(allowed.filter(runner())).toEqual([]);
  expect(allowed.length).toBeGreaterThan(100);
});

/** Returns a function that is true for code that calls `seen`. The code sets each variable itself, so all of it can run in one context. */
function runner(): (code: string) => boolean {
  let isSeen = false;
  const context = vm.createContext({ seen: () => (isSeen = true) });
  return (code) => {
    isSeen = false;
    context["console"] = { log: () => {} };
    try {
      vm.runInContext(code, context);
    } catch {
      return isSeen; // many of these texts are no valid code
    }
    return isSeen;
  };
}

test.each([
  ["node", ["-p", ""], true],
  ["node", ["-pe", ""], true],
  ["node", ["-p", "-i"], false],
  ["node", ["-p", "1", "--inspect"], false],
  ["node", ["--input-type=module", "-e", 'await /"/; f[k]("x")() //"'], false],
])("%s %j may do more than its code", (name, words, isFed) => {
  const call = { name, words: words.map(literal), upstream: [], incoming: "none" as const };
  expect(inlineCodeEffects({ ...call, ...(isFed ? { fed: "text" as const, input: "x()" } : { fed: "nothing" as const }) })).toBeUndefined();
});

test("code that is nested too deeply may do more", () => {
  const deep = `${"(".repeat(20_000)}1${")".repeat(20_000)}`;
  const long = `x = ${Array(20_000).fill("a").join(" + ")}`;
  for (const code of [deep, long, `[${long}]`]) for (const read of [readJavaScript, readPython]) expect(read(code)).toBeUndefined();
});
