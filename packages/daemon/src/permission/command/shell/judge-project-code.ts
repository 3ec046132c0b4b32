import path from "node:path";
import { mayHaveChanged } from "../files/created-files.ts";
import { isShadowed } from "../files/shadowing-modules.ts";
import { finalPath, foldersFrom, isBelow, isFolder, pathKind, realPath } from "../files/path-on-disk.ts";
import { resolvePath } from "../files/physical-path.ts";
import { entriesOf } from "../files/walk-folder.ts";
import { mention, pathsInWord } from "../files/mentioned-paths.ts";
import type { GateFindings } from "../gate-findings.ts";
import { readJavaScriptProject } from "../inline-code/javascript-project-code.ts";
import { defines } from "../inline-code/project-definitions.ts";
import { lastingName, placesOfModules } from "../inline-code/project-code.ts";
import { readPythonProject } from "../inline-code/python-project-code.ts";
import type { WrittenText } from "../programs/printed-text.ts";
import { roughWordsOf } from "../programs/calls-by-name.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import type { NamedPath, ProjectCode } from "../programs/program-types.ts";
import { literal } from "../words/word.ts";
import { unwrap } from "./unwrap-command.ts";
import { judgePath } from "./judge-path.ts";
import type { ShellContext } from "./shell-context.ts";
import type { JudgeOptions } from "./walker-types.ts";

/** Judges code that calls functions of the project. The rules must allow reading its modules, and what they get may be paths and commands. */
export function judgeProjectCode(base: string, code: ProjectCode, { context, findings, also, walkText }: JudgeOptions): void {
  const { cwds, script, place, settings } = context;
  const project = settings.includes("PYTHONPATH") ? { ...code, searched: [...code.searched, ...pythonPathsIn(place.text)] } : code;
  const modules = placesOfModules(project, { cwds, folder: script && path.dirname(script.file) });
  const own = script ? [script.file, finalPath(script.file, place.realFolders)] : [];
  const folders = script ? [...cwds, path.dirname(script.file)] : cwds;
  if (
    !areOfProject(project, modules, { own, cwds, workspace: place.workspace }, findings) &&
    !areInstalled(project, folders, context, findings)
  )
    findings.doubts.add(`${base} runs code given as text`);
  const lasting = lastingName(project);
  if (lasting !== undefined) findings.doubts.add(`${base} calls ${lasting.slice(0, 60)} of the project`);
  for (const file of modules.flat().filter(isFile)) judgePath({ word: literal(file), use: "reads" }, context, findings);
  judgeTexts(project, { context, findings, also, walkText });
}

/** Judges what code gives to the project. */
export function judgeTexts(
  project: ProjectCode,
  { context, findings, also, walkText }: Pick<JudgeOptions, "context" | "findings" | "also" | "walkText">,
): void {
  for (const named of pathsInTexts(project)) judgePath(named, context, findings);
  for (const command of commandsInTexts(project)) walkText(command, { ...context, also });
}

/** Returns the texts of the code as paths that the project may read or change. */
const pathsInTexts = ({ texts }: ProjectCode): NamedPath[] =>
  roughWordsOf(texts.join("\n"))
    .filter(({ text }) => text !== "")
    .flatMap((word) => [...pathsInWord(word), ...mention(word.text)])
    .map((named) => ({ ...named, search: { ...named.search, suspected: true } }));

/** Returns the texts that a shell would run as a command: the project may do so. */
function commandsInTexts({ texts }: ProjectCode): string[] {
  const words = texts.filter((text) => /^[\w./=-]+$/.test(text)).join(" ");
  return [...texts, words].filter((text) => {
    const [name = "", argument] = text.trim().split(/\s+/);
    const base = name.slice(name.lastIndexOf("/") + 1);
    return (
      argument !== undefined && (isKnownProgram(base) || unwrap(base, [literal("")]) !== undefined || /^(sudo|doas|su|pkexec)$/.test(base))
    );
  });
}

/** Returns the folders that the text puts into PYTHONPATH. */
const pythonPathsIn = (text: string): string[] =>
  [...text.matchAll(/\bPYTHONPATH=["']?([\w./:-]*)/g)].flatMap(([, folders = ""]) => folders.split(":").map((each) => each || "."));

type Place = { own: readonly string[]; cwds: readonly string[]; workspace: string };

/**
 * True if each module is a file of the workspace, and the text changes no code besides the files `own`. `modules`: the places of each of them. Compiled
 * modules and packages that name another file do not count. The modules have to define the names that the code uses of them.
 */
function areOfProject(
  project: ProjectCode,
  modules: readonly string[][],
  { own, cwds, workspace }: Place,
  findings: GateFindings,
): boolean {
  const root = realPath(workspace) ?? workspace;
  const isOwn = (file: string) => isBelow(realPath(file) ?? "", root);
  const files = modules.map((places) => places.filter(isFile));
  const isKnown = (file: string) => isOwn(file) && !/\.(pyc|so|pyd)$|\/package\.json$/.test(file) && !hasCompiledTwin(file);
  const found = [...new Set(files.flat())];
  const isDefined = (name: string) =>
    found.some((file) => defines(file, name, project.language)) ||
    modules.some((places) => places.some((file) => isFile(file) && isNamed(file, name)));
  const areInside = project.searched.every((each) =>
    cwds.every((cwd) => isFolder(resolvePath(cwd, each)) && isOwn(resolvePath(cwd, each))),
  );
  const changed = [...findings.made].filter((file) => !own.includes(file));
  const isChanged = changed.some((file) => CODE.test(file)) || modules.flat().some((file) => mayHaveChanged(file, findings));
  const areFiles = files.every((each) => each.length > 0 && each.every(isKnown));
  return areInside && areFiles && project.members.every(isDefined) && !isChanged && !findings.brings;
}

/** True if the code only prints the versions of installed packages: no file of the workspace would be loaded in their place. */
const areInstalled = (
  { packages, searched }: ProjectCode,
  folders: readonly string[],
  { settings }: ShellContext,
  findings: GateFindings,
): boolean =>
  packages !== undefined &&
  searched.length === 0 &&
  settings.length === 0 &&
  ![...findings.made].some((file) => CODE.test(file)) &&
  !isShadowed(packages, folders, findings);

/** True for the file of a module or a package. */
const isNamed = (file: string, name: string): boolean =>
  path.basename(file) === `${name}.py` || (path.basename(file) === "__init__.py" && path.basename(path.dirname(file)) === name);

const isFile = (file: string): boolean => pathKind(file) === "file";

/** Files that Python or Node may load. */
const CODE = /\.(py\w?|so|pth|zip|[cm]?[jt]sx?|json|node)$|(^|\/)__pycache__(\/|$)/;

/** True if a compiled module such as `app.cpython-311.so` is beside a file. */
function hasCompiledTwin(file: string): boolean {
  const name = path.basename(file).replace(/\..*$/, "");
  return entriesOf(path.dirname(file)).some((each) => each.name.startsWith(`${name}.`) && /\.(so|pyd)$/.test(each.name));
}

/** Returns what a text calls if it is a test that only calls the project, and compares the results. */
export function plainTest(
  { text, files, isKnown, isMovable, isCode }: WrittenText,
  findings: GateFindings,
  context: ShellContext,
): ProjectCode | undefined {
  const [name = "", ...others] = files ?? [];
  if (!isKnown || isMovable || isCode || others.length > 0 || !text.endsWith("\n") || !TEST.test(name)) return undefined;
  const { cwds, place } = context;
  const all = [...findings.made].filter((file) => path.basename(file) === name);
  const project = name.endsWith(".py")
    ? readPythonProject(text, { isTest: true })
    : readJavaScriptProject(text, { isModule: true, isTest: true });
  if (!project || lastingName(project) !== undefined || all.length === 0) return undefined;
  const around = all.flatMap((file) => foldersFrom(path.dirname(file))).filter((folder) => isBelow(folder, place.workspace));
  const folders = project.language === "python" ? [...new Set([...around, ...cwds])] : all.map((file) => path.dirname(file));
  const modules = project.modules.map((names) =>
    placesOfModules({ ...project, modules: [names] }, { cwds: folders, folder: undefined }).flat(),
  );
  return areOfProject(project, modules, { own: all, cwds: folders, workspace: place.workspace }, findings) ? project : undefined;
}

/** Names of files that only runners of tests load. */
const TEST = /^(test_\w+|\w+_test)\.py$|\.(test|spec)\.[cm]?[jt]sx?$/;
