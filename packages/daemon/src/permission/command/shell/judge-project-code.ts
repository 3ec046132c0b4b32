import path from "node:path";
import { mayHaveChanged } from "../files/created-files.ts";
import { foldersFrom, isBelow, pathKind, realPath } from "../files/path-on-disk.ts";
import type { GateFindings } from "../gate-findings.ts";
import { readJavaScriptProject } from "../inline-code/javascript-project-code.ts";
import { lastingName, placesOfModules } from "../inline-code/project-code.ts";
import { readPythonProject } from "../inline-code/python-project-code.ts";
import type { WrittenText } from "../programs/printed-text.ts";
import type { ProjectCode } from "../programs/program-types.ts";
import { literal } from "../words/word.ts";
import { judgePath } from "./judge-path.ts";
import type { ShellContext } from "./shell-context.ts";
import type { JudgeOptions } from "./walker-types.ts";

/** Judges code that calls functions of the project. The rules must allow reading its modules. */
export function judgeProjectCode(base: string, project: ProjectCode, { context, findings }: JudgeOptions): void {
  const { cwds, script, place } = context;
  const modules = placesOfModules(project, { cwds, folder: script && path.dirname(script.file) });
  if (!areOfProject(modules, place.workspace, findings)) findings.doubts.add(`${base} runs code given as text`);
  const lasting = lastingName(project);
  if (lasting !== undefined) findings.doubts.add(`${base} calls ${lasting.slice(0, 60)} of the project`);
  for (const file of modules.flat().filter(isFile)) judgePath({ word: literal(file), use: "reads" }, context, findings);
}

/** True if each module is a file of the workspace that the text does not change. `modules`: the places of each of them. */
function areOfProject(modules: readonly string[][], workspace: string, findings: GateFindings): boolean {
  const root = realPath(workspace) ?? workspace;
  const files = modules.map((places) => places.filter(isFile));
  const isOwn = (file: string) => isBelow(realPath(file) ?? "", root);
  const isChanged = modules.flat().some((file) => mayHaveChanged(file, findings));
  return files.every((found) => found.length > 0 && found.every(isOwn)) && !isChanged && !findings.brings;
}

const isFile = (file: string): boolean => pathKind(file) === "file";

/** True for the text of a test that only calls the project, and compares the results. */
export function isPlainTest(
  { text, files, isKnown, isMovable, isCode }: WrittenText,
  findings: GateFindings,
  context: ShellContext,
): boolean {
  const [name = "", ...others] = files ?? [];
  if (!isKnown || isMovable || isCode || others.length > 0 || !text.endsWith("\n") || !TEST.test(name)) return false;
  const { cwds, place } = context;
  const all = [...findings.made].filter((file) => path.basename(file) === name);
  const project = name.endsWith(".py")
    ? readPythonProject(text, { isTest: true })
    : readJavaScriptProject(text, { isModule: true, isTest: true });
  if (!project || lastingName(project) !== undefined || all.length === 0) return false;
  const around = all.flatMap((file) => foldersFrom(path.dirname(file))).filter((folder) => isBelow(folder, place.workspace));
  const folders = project.language === "python" ? [...new Set([...around, ...cwds])] : all.map((file) => path.dirname(file));
  const modules = project.modules.map((names) =>
    placesOfModules({ ...project, modules: [names] }, { cwds: folders, folder: undefined }).flat(),
  );
  return areOfProject(modules, place.workspace, findings);
}

/** Names of files that only runners of tests load. */
const TEST = /^(test_\w+|\w+_test)\.py$|\.(test|spec)\.[cm]?[jt]sx?$/;
