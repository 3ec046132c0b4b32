import { expect, test } from "vitest";
import { languageProject } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";

const files = {
  "package.json": `{ "type": "module" }`,
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true, types: [] }, include: ["src"] }),
  "src/shape.ts":
    "export interface Shape {\n  area(): number;\n}\nexport class Square implements Shape {\n  area() {\n    return 4;\n  }\n}\n",
  "src/main.ts": `import { Square } from "./shape.js";\n\nconst wrong: string = 1;\nexport const area = new Square().area();\n`,
  "run.sh": "greet() {\n  echo hi\n}\ngreet\n",
};
const find = (input: object) => ({ tool: "find_symbol", input });

test("find_symbol and diagnostics return the files that the language server names", async () => {
  await using daemon = await languageProject({ files });
  const calls = [
    find({ path: "src/main.ts", find: "definition", symbol: "Square", line: 4 }),
    find({ path: "src/shape.ts", find: "references", symbol: "Square" }),
    find({ path: "src/shape.ts", find: "implementations", symbol: "Shape" }),
    find({ path: "src/shape.ts", find: "outline" }),
    find({ path: "src/shape.ts", find: "references", symbol: "Circle" }),
    { tool: "diagnostics", input: { path: "src/main.ts" } },
    find({ path: "run.sh", find: "outline" }),
    { tool: "diagnostics", input: { path: "package.json" } },
  ];
  const session = await daemon.session({ model: script(daemon, [{ calls }, { text: "Done." }]) });
  await session.runTurn("go");
  expect(session.finished.map(({ result: { outcome, text } }) => [outcome, text])).toEqual([
    ["ok", "src/shape.ts:4: export class Square implements Shape {"],
    ["ok", `src/main.ts:1: import { Square } from "./shape.js";\nsrc/main.ts:4: export const area = new Square().area();`],
    ["ok", "src/shape.ts:4: export class Square implements Shape {"],
    ["ok", "1: interface Shape\n  2: method area\n4: class Square\n  5: method area"],
    ["failed", "Circle does not occur in src/shape.ts. Send the line where it occurs."],
    ["ok", "src/main.ts has 1 error:\n3:7: Type 'number' is not assignable to type 'string'."],
    ["ok", "1: function greet"],
    ["failed", "There is no language server for package.json. Use search_text or run_command instead."],
  ]);
});

test("the tools are available if a server is installed for the code of a trusted folder", async () => {
  await using daemon = await languageProject({ files });
  const { api } = daemon.connect();
  const toolsIn = async (cwd: string) => {
    const { offered, withheld } = await api.daemon.tools.query({ cwd, mode: "code" });
    return {
      isOffered: offered.some(({ name }) => name === "find_symbol"),
      why: withheld.find(({ name }) => name === "find_symbol")?.reason,
    };
  };
  expect(await toolsIn(daemon.workspace)).toEqual({ isOffered: true });
  await api.workspace.trust.mutate({ cwd: daemon.root, trusted: true });
  expect(await toolsIn(daemon.root)).toEqual({ isOffered: false, why: "no language server is installed for the code of this folder" });
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: false });
  expect(await toolsIn(daemon.workspace)).toEqual({ isOffered: false, why: "the folder is not trusted, so no language server runs in it" });
});
