import path from "node:path";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import { classifyByTable } from "../programs/classify-by-table.ts";
import type { ProgramInvocation, ProgramEffects, ProjectCode } from "../programs/program-types.ts";
import { readJavaScript } from "./javascript-code.ts";
import { readJavaScriptProject } from "./javascript-project-code.ts";
import { packageVersions } from "./package-versions.ts";
import { readPython } from "./python-code.ts";
import { readPythonProject } from "./python-project-code.ts";
import { readers } from "../tables/readers.ts";
import { INPUT } from "../programs/shell-program.ts";
import { isCertain } from "../words/word.ts";

/** Python 2 has other functions, such as `file`, which can write. */
const PYTHON = /^(python(3[\d.]*)?|pypy3)$/;
const SCRIPT = /^(node(js)?|tsx)$/;

/** Returns the effects of code in `node -e`, in `python3 -c`, or in the input, if it certainly only computes, prints, and uses files that it names. */
export function inlineCodeEffects(call: ProgramInvocation): ProgramEffects | undefined {
  const isPython = PYTHON.test(call.name);
  if (!isPython && !SCRIPT.test(call.name)) return undefined;
  const [flag, ...rest] = withoutSettings(
    call.words.map(({ text }) => text),
    isPython,
  );
  if (isPython && flag === "-m") return moduleCall(call, rest[0]);
  if (call.words.some(({ kind }) => kind !== "literal")) return undefined;
  const isInput = call.input !== undefined && (flag === undefined || INPUT.test(flag));
  // Node takes flags behind the code as well.
  const isPlain = isPython || (!rest.some((word) => word.startsWith("-")) && (call.name !== "tsx" || rest.length === 1));
  const isFlag = rest.length > 0 && isPlain && (isPython ? flag === "-c" : /^(-e|-p|-pe|--eval|--print)$/.test(flag ?? ""));
  const code = isInput ? call.input : isFlag && rest[0] !== "" ? rest[0] : undefined; // without code, Node runs its input
  const given = isFlag ? [isPython ? "-c" : "", ...rest.slice(1)] : isPython ? [flag ?? "", ...rest] : ["", flag ?? "-", ...rest];
  if (isInput && call.script) given[isPython ? 0 : 1] = isPython ? call.script.name : call.script.file;
  return code === undefined ? undefined : effectsOf(isPython, { code, given }, call);
}

/** Returns the effects of code with its arguments, which begin with the name of the script. */
function effectsOf(
  isPython: boolean,
  { code, given }: { code: string; given: readonly string[] },
  { name, words, script }: ProgramInvocation,
): ProgramEffects | undefined {
  const isModule = words.some(({ text }) => text === "--input-type=module");
  const read = isPython ? readPython(code, given) : readJavaScript(code, given, { isModule, folder: script && path.dirname(script.file) });
  const isIsolated = isPython && words.some(({ text }) => /^-[A-Za-z]*[IP]/.test(text)); // then it finds no modules of the project
  if (!read) {
    const packages = packageVersions(code, isPython ? "python" : "node");
    const project = isPython ? readPythonProject(code) : (readJavaScriptProject(code, { isModule }) ?? (packages && ONLY_PACKAGES));
    return isIsolated ? undefined : projectEffects(project && { ...project, ...omitUndefined({ packages }) });
  }
  if (script && read.imports.some((each) => each.includes("/"))) return undefined; // such a file is in the folder of the script
  if (read.paths.length > 0 && !words.every(isCertain)) return undefined; // the name of a file may be a number that is not known
  const isWrite = read.paths.some(({ use }) => use === "writes");
  if (isWrite && name === "tsx") return undefined;
  return {
    reads: name !== "tsx" && !isWrite,
    ...(isWrite ? { onlyEdits: true as const } : {}),
    doubts: [],
    paths: read.paths,
    imports: isPython ? ["builtins", ...read.imports] : read.imports, // some code makes Python itself load modules
  };
}

/** Code of Node that loads no module of the project. */
const ONLY_PACKAGES: ProjectCode = { language: "node", modules: [], searched: [], names: [], members: [], texts: [], standard: [] };

/** Returns the effects of code that calls functions of the project. They may do anything, so the call needs a grant like a script of the project. */
const projectEffects = (project: ProjectCode | undefined): ProgramEffects | undefined =>
  project && {
    reads: false,
    doubts: [],
    paths: [],
    imports: project.standard,
    project,
  };

/** Removes leading flags that only control the output of the interpreter or the form of the code. */
function withoutSettings(words: readonly string[], isPython: boolean): string[] {
  const own = isPython ? /^-[uBsEIPqO]+$/ : /^--input-type=(module|commonjs)$/;
  return own.test(words[0] ?? "") ? withoutSettings(words.slice(1), isPython) : [...words];
}

/** Returns the effects of a module that a table has: `python -m json.tool a.json`. */
function moduleCall({ words }: ProgramInvocation, name = ""): ProgramEffects | undefined {
  const table = readers[`python -m ${name}`];
  return table && { ...classifyByTable(table, words.slice(words.findIndex(({ text }) => text === name) + 1)), imports: [name] };
}
