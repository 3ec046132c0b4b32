import { symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { effectOf, repository, rule } from "../../../../test/support/limited-repository.ts";

const written = (file: string, ...lines: string[]) => `cat > ${file} <<'E'\n${lines.join("\n")}\nE\n`;
const denied = rule("read", "secrets/**", "deny");

test("a script that the text writes is judged by its code, as the same code in the input", async () => {
  using folder = await repository();
  const call = (code: string, run = "python3 t.py") => effectOf(folder, written("t.py", code) + run, denied);
  expect(call("print(1)")).toBe("allow");
  expect(call("print(open('src/a.ts').read())", "python3 t.py --name x")).toBe("allow");
  expect(call("print(open('secrets/db.txt').read())")).toBe("deny");
  for (const code of ["import os; os.system('id')", "import app", "exec(input())"]) expect([code, call(code)]).toEqual([code, "ask"]);
  for (const run of [
    "python3 -i t.py",
    "PYTHONPATH=src python3 t.py",
    "sed -i s/1/2/ t.py; python3 t.py",
    "cp README.md t.py; python3 t.py",
  ])
    expect([run, call("print(1)", run)]).toEqual([run, "ask"]);
});

test("a script finds modules in its own folder, also under the real path of that folder", async () => {
  using folder = await repository();
  await symlink("src", folder.at("link"));
  const script = (place: string) => `${written(`${place}/t.py`, "import json", "print(json.dumps(1))")}python3 ${place}/t.py`;
  expect(effectOf(folder, script("src"), denied)).toBe("allow");
  expect(effectOf(folder, written("src/json.py", "print(1)") + script("src"), denied)).toBe("ask");
  expect(effectOf(folder, written("src/json.py", "print(1)") + script("link"), denied)).toBe("ask");
  await writeFile(folder.at("src/json.py"), "print(1)");
  expect(effectOf(folder, script("src"), denied)).toBe("ask");
});

test("a script of Node reads the paths from its folder", async () => {
  using folder = await repository();
  const script = (file: string) =>
    `${written("src/t.js", `console.log(require('fs').readFileSync(__dirname + '/${file}', 'utf8'))`)}node src/t.js`;
  expect(effectOf(folder, script("a.ts"), denied)).toBe("allow");
  expect(effectOf(folder, script("../secrets/db.txt"), denied)).toBe("deny");
});
