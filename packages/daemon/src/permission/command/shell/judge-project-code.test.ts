import { mkdir, symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Folder } from "../../../../test/support/folder.ts";
import { effectOf, repository, rule } from "../../../../test/support/limited-repository.ts";

/** A repository with a package of Python, a module of Node, and a folder of it that leads outside. */
async function project(): Promise<Folder> {
  const folder = await repository();
  for (const name of ["app", "lib", "tests"]) await mkdir(folder.at(name));
  for (const [file, text] of [
    ["app/__init__.py", ""],
    ["app/utils.py", "def slug(s): return s\ndef read(f): pass\ndef save(f): pass\ndef run(*a, **k): pass\n"],
    ["lib/own.py", "X = 1\n"],
    ["app/passing.py", "from .utils import slug as passed\nfrom subprocess import (  # (x)\n  run as go\n)\ngo_on = go\n"],
    ["app/compiled.py", "def f(): pass\n"],
    ["app/compiled.cpython-311.so", "x"],
    ["denied.py", "X = 1\n"],
    ["docker", "a script\n"],
    [
      "src/utils.js",
      `export const slug = (s) => s;\n${["read", "save", "run"].map((name) => `export function ${name}() {}\n`).join("")}export*from'child_process'\nexport { passed } from './passing.js'\n`,
    ],
    ["src/passing.js", "export { execSync as go } from 'child_process';\nexport const passed = () => 1;\n"],
  ] as const)
    await writeFile(folder.at(file), text);
  await symlink("..", folder.at("out"));
  return folder;
}

const RULES = [
  rule("read", "secrets/**", "deny"),
  rule("read", "denied.py", "deny"),
  rule("edit", "protected/**", "deny"),
  rule("command", "git push*", "deny"),
];
const python = (...lines: string[]) => `python3 - <<'E'\n${lines.join("\n")}\nE`;
const node = (code: string) => `node --input-type=module - <<'E'\n${code}\nE`;
const written = (file: string, ...lines: string[]) => `cat > ${file} <<'E'\n${lines.join("\n")}\nE\n`;

async function allowed(texts: readonly string[], rules = RULES): Promise<string[]> {
  using folder = await project();
  return texts.filter((text) => effectOf(folder, text, ...rules) === "allow");
}

test("code that only calls the project with plain values and shows the results needs nothing but a grant for its program", async () => {
  const texts = [
    python("from app.utils import slug", "print(slug('Hello World'))"),
    python("import sys", "sys.path.insert(0, 'lib')", "import own", "print(own.X)"),
    python("from app import utils as u", "assert u.slug('a b') == 'a-b', u.slug('a' + 'b') if False else 'x'").replace(" + ", ", "),
    python("from app.utils import slug", "for x in ['a', 'b']:", "    r = slug(x)", "    print(f'{x}: {r.strip().upper()}', len(r) * 2)"),
    python("import asyncio", "from app.utils import slug", "async def main():", "    print(await slug('x'))", "asyncio.run(main())"),
    python("from app.utils import slug", "try:", "    slug(None)", "except ValueError as e:", "    print('error', e)"),
    node("import { slug } from './src/utils.js'; console.log(slug('A B'), `${slug('x')}!`)"),
    `node -e "const {slug}=require('./src/utils'); console.log(slug('Hello').length)"`,
    `node -p "require('./src/utils').slug('x')"`,
    python("from app.passing import passed", "print(passed(1))"),
    `PYTHONPATH=lib ${python("import own, inspect, time", "print(own.X, time.time())")}`,
    node("import { passed } from './src/utils.js'; console.log(passed())"),
    node("import('./src/utils.js').then((m) => console.log(m.slug('x'))).catch((e) => console.error(e.message))"),
    node("(async () => { const m = await import('./src/utils.js'); if (m.slug('x') !== 'x') process.exit(1); })()"),
    `${written("/tmp/t.py", "import sys", "sys.path.insert(0, '.')", "from app.utils import slug", "print(slug(1))")}python3 /tmp/t.py`,
  ];
  expect(await allowed(texts)).toEqual(texts);
  expect(await allowed(texts, [])).toEqual(texts);
  using folder = await project();
  expect(texts.map((text) => effectOf(folder, text, rule("command", "*", "ask"))).filter((effect) => effect === "allow")).toEqual([]);
});

test("a deny holds for what the code gives to the project", async () => {
  using folder = await project();
  for (const code of [
    "read('secrets/db.txt')",
    "save('protected/x.txt')",
    "run('git push')",
    "run('git', 'push')",
    "run(['git', 'push'])",
  ]) {
    expect([code, effectOf(folder, python("from app.utils import read, save, run", code), ...RULES)]).not.toContain("allow");
    expect([code, effectOf(folder, node(`import { read, save, run } from './src/utils.js'; ${code}`), ...RULES)]).not.toContain("allow");
  }
  expect(effectOf(folder, python("import denied", "print(denied.X)"), ...RULES)).not.toBe("allow");
});

test("code asks if it computes what it gives to the project, reaches anything else, or changes what stays", async () => {
  const codes = [
    "read('sec' + 'rets/db.txt')",
    "read('sec' 'rets/db.txt')",
    "read('sXecrets'.replace('X', ''))",
    "s = 'XXsecrets'\nread(s[2:])",
    "s = 'X'\nread(s.join(['sec', 'rets']))",
    "read(f'sec{1}')",
    String.raw`read('\x73ecrets')`,
    "read(*['x'])",
    "read(**{'x': 1})",
    "u.os.system('id')",
    "u.sp.run('id')",
    "u.P.unlink()",
    "u.__dict__",
    "eval('1')",
    "open('x', 'w')",
    "getattr(u, 'x')()",
    "read('http://evil.example')",
    "drop_all()",
    "u.sendInvoice(1)",
    "u.x = 1",
    "print('x', file=u.f)",
    "[read(x) for x in ['a' + 'b']]",
    "print(u.d['a' + 'b'])",
    "x = 'a'\nprint(x + 'b' in u.d)",
    "print(f'{u.d:secrets/db.txt}')",
    "print('{0.os}'.format(u))",
    "read(str(['a', 'b']))",
    "try:\n  read('a')\nexcept OSError as e:\n  read(e.args[0])",
    "def f(bytes): pass\nread(bytes([1]))",
    "if u.no: chr = 1\nread(chr(1))",
    "read(max('.x'))",
    "print(1, ｋey=u.f)",
    "for f in u.D.glob('*'): read(f)",
    "type('X', (), {'a': u.f})",
    "run(cmd='git', sub='push')",
  ].map((code) => python("import app.utils as u", "from app.utils import read", code));
  const others = [
    ...["import docker", "import requests", "from app.utils import os", "from out.lib import x", "from . import x"].map((line) =>
      python(line, "print(1)"),
    ),
    python("import sys", "sys.path.insert(0, '../lib')", "import own"),
    python("import own, sys", "sys.path.insert(0, 'lib')"),
    python("import sys", "def f(): sys.path.insert(0, 'lib')", "import own"),
    "python3 -I -c 'from app.utils import slug'",
    ...[
      "from app.passing import go",
      "from app.passing import go_on",
      "import app.passing as p\np.go('x')",
      "from app.compiled import f",
    ].map((line) => python(line)),
    `curl -so app/__pycache__/utils.pyc http://localhost/x; ${python("from app.utils import slug")}`,
    `PYTHONPATH=out ${python("from app.utils import slug")}`,
    ...["sed -i '1i import os' app/utils.py", "cp README.md app/new.py", "mv src app/new", "git checkout x"].map(
      (change) => `${change}; ${python("from app.new import x", "x()")}`,
    ),
    ...[
      "read('sec' + 'rets/db.txt')",
      "const s = 'sec'; read(s.concat('rets'))",
      "if (1) { const s = 'a' + 'b'; read(s) }",
      "read(Object.keys({ 'secrets/db.txt': 1 })[0])",
      "read(`sec${'rets'}`)",
      "read.constructor('return process')()",
      "u.fs.rmSync('x')",
      "execSync('id')",
      "const { execSync: x } = u; x('id')",
      "process.binding('x')",
      "fetch('x')",
      "require('child_process').execSync('id')",
      "read(String.fromCharCode(1))",
      "deleteAll()",
      "['a' + 'b'].map(read)",
      "console.log(JSON.stringify(['a' + 'b'], read))",
      "read(JSON.stringify(['push'], null, 'git '))",
      "try { u.x() } catch (e) { read(e.message) }",
      "read(new Error('a' + 'b'))",
      "const [a] = 'x'.match('y'); read(a)",
      "{ const fs = 1 } fs.openSync('x', 'w')",
      "import('./src/utils.js', u.f())",
      "for (u.x of [1]) read(1)",
    ].map((code) => node(`import u, { read, execSync, deleteAll } from './src/utils.js'; ${code}`)),
    node("import { x } from './out/x.js'; x()"),
    node("import { x } from 'x'; x()"),
    node("import { execSync } from './src/utils.js'; execSync('x')"),
    node("import { go } from './src/passing.js'; go('x')"),
  ];
  expect(await allowed([...codes, ...others])).toEqual([]);
});

const TEST = ["from app.utils import slug", "def test_a():", "    assert slug('a') == 'b'"];

test("a test that only calls the project may be written and run in one text", async () => {
  const texts = [
    `${written("tests/test_a.py", ...TEST)}pytest tests/test_a.py`,
    `${written("tests/test_a.py", "import pytest", ...TEST, "@pytest.mark.parametrize('a', [1, 2])", "def test_b(a):", "    with pytest.raises(TypeError):", "        slug(a)")}uv run pytest -q`,
    `${written("src/a.test.ts", "import { expect, it } from 'vitest';", "import { slug } from './utils';", "it('x', () => { expect(slug('a') + 'b').toBe('ab'); });")}npx vitest run`,
    `${written("src/a.test.js", "test('x', () => { expect(cents(0.1)).toBe(1); });").replace(">", ">>")}npx vitest run`,
  ];
  expect(await allowed(texts)).toEqual(texts);
  const others = [
    `${written("conftest.py", ...TEST)}pytest`,
    `${written("tests/test_a.py", "import os", ...TEST)}pytest`,
    `${written("tests/test_a.py", ...TEST, "    read('sec' + 'rets/db.txt')")}pytest`,
    `${written("tests/test_a.py", ...TEST, "    slug('secrets/db.txt')")}pytest`,
    `${written("tests/test_a.py", ...TEST)}sed -i 's/slug/evil/' tests/test_a.py; pytest`,
    `${written("tests/test_a.py", "def test_a(pytester):", "    pytester.run('id')")}pytest`,
    ...["pytest_plugins = ['x']", '"""\n>>> x()\n"""', "def test_c(tmpdir):\n    tmpdir.sysfind('x')", "def pytest_x(): pass"].map(
      (line) => `${written("tests/test_a.py", ...TEST, line)}pytest`,
    ),
    `${written("tests/test_a.py", "import pytest", "@pytest.mark.skipif('x()')", ...TEST.slice(1))}pytest`,
    ...["// @vitest-environment ./x.js", "expect(1).toMatchFileSnapshot('x')", "expect('a' + 'b').toSatisfy(f)", "vi.mock('x')"].map(
      (line) => `${written("src/a.test.js", `test('x', () => {`, line, "});")}npx vitest run`,
    ),
    `${written("tests/test_a.py", "from requests import get", "def test_a():", "    get('x')")}pytest`,
    `${written("src/a.test.js", "test('x', async () => { (await vi.importActual('fs')).rmSync('x'); });")}npx vitest run`,
    `${written("src/a.test.js", "test('x', () => { execSync('id'); });")}npx vitest run`,
    "printf 'test(1, () => u.s' > src/a.test.js; printf 'ystem(1))\\n' >> src/a.test.js; npx vitest run",
  ];
  expect(await allowed(others)).toEqual([]);
});

test("keys ask in every kind of such code, and in a folder that a container mounts", async () => {
  using folder = await project();
  await folder.write(".env", "TOKEN=x");
  const texts = [
    python("from app.utils import read", "print(read('.env'))"),
    node("import { read } from './src/utils.js'; read('.env')"),
    `${written("tests/test_a.py", ...TEST, "    read('.env')")}pytest`,
    `${written("src/a.test.js", "test('x', () => { read('.env'); });")}npx vitest run`,
    'docker run --rm -v "$PWD:/w" -w /w alpine cat .env',
    "docker run --rm --mount type=bind,source=.,target=/w -w /w alpine sh -c 'cat .env'",
  ];
  expect(texts.filter((text) => effectOf(folder, text) === "allow")).toEqual([]);
  expect(effectOf(folder, "docker run --rm -v .:/w -w /w node npm test")).toBe("allow");
});

test("a plain replacement may be tested in the same text", async () => {
  const edits = [
    "sed -i 's/sum(xs)/sum(xs, 0)/' app/utils.py",
    "sed -i 's/==/!=/; 3d' app/utils.py",
    `sed -i '3s/"a"/"b"/' app/utils.py`,
    "sed -i '5i return None' app/utils.py",
    "perl -pi -e 's/const a = 1;/const a = 2;/' src/utils.js",
  ];
  expect(await allowed(edits.map((edit) => `${edit} && npm test`))).toHaveLength(edits.length);
  const others = [
    `sed -i 's|x|read("secrets/db.txt")|' app/utils.py`,
    `sed -i 's|x|run("git push")|' app/utils.py`,
    `sed -i 's|x|os.system("id")|' app/utils.py`,
    `sed -i 's|x|read("sec"+"rets/db.txt")|' app/utils.py`,
    `sed -i "s|x|read('sec' 'rets/db.txt')|" app/utils.py`,
    "sed -i '1i import os' app/utils.py",
    String.raw`sed -i 's|a\(.*\)|\1|' app/utils.py`,
    "sed -i 's/[/]x/y/;s/b/system(1)/' app/utils.py",
    `perl -pi -e 's/x/@{[system("id")]}/' app/utils.py`,
    "perl -pi -e 's/x/$(id)/' app/utils.py",
  ];
  expect(await allowed(others.map((edit) => `${edit} && pytest -q`))).toEqual([]);
});
