import path from "node:path";
import type { Places } from "../shell/shell-context.ts";
import type { Program } from "../shell/walker-types.ts";
import { literal, type Word } from "../words/word.ts";

/** Returns calls that run the same package, target or task of the project, in the form that rules mostly name. `input`: the text of its input. */
export function callsOfTask({ name, base, rest }: Program, input: string, { cwds, place }: Places): Word[][] {
  if (/(^|\/)target\/\w+\/[^/]+$/.test(name)) return [[literal("cargo"), literal(base), ...rest]];
  if (/(^|\/)bazel-bin\//.test(name)) return [words("bazel run", `//${name.replace(/^.*?bazel-bin\/(.*)\/([^/]+)$/, "$1:$2")}`)];
  if (base === "cargo" && /^r(un)?$/.test(firstOf(rest))) return cargoRuns(rest, cwds);
  if (/^(bazel|bazelisk|ibazel)$/.test(base))
    return cwds.map((cwd) => [literal("bazel"), ...rest.map((word) => labelOf(word, path.relative(place.workspace, cwd)))]);
  const end = rest.findIndex(({ text }) => text === "--");
  if (base === "cmake" && end > 0) return [[literal(base), ...rest.slice(0, end), literal("--target"), ...rest.slice(end + 1)]];
  if (base === "go") return flagsOfGo(place.text).map((flags) => [literal(base), ...rest, ...flags.split(" ").map(literal)]);
  if (base === "sbt") return [words("sbt", ...[...rest.map(({ text }) => text), ...input.split(/\s+/)].flatMap(sbtTasks))];
  if (TESTS.test(base))
    return cwds
      .filter((cwd) => cwd !== place.workspace)
      .map((cwd) => [literal(base), ...rest, literal(path.relative(place.workspace, cwd))]);
  return /^(nx|moon)$/.test(base) ? nxRuns(rest, cwds) : [];
}

/** Returns the flags that a text gives to each call of go. Source: `go help environment`. */
const flagsOfGo = (text: string): string[] => [...text.matchAll(/\bGOFLAGS=["']?([^"';&|\n]+)/g)].map(([, flags = ""]) => flags);

/** Returns the tasks in a word of sbt, which may have arguments behind them: `a` and `b` for `clean; core/a x` and `~ all a b`. */
const sbtTasks = (word: string): string[] =>
  word.split(/[;\n]/).flatMap((command) => {
    const [first = "", ...more] = command.replace(/^[\s~+]+/, "").split(/\s+/);
    return (first === "all" ? more : [first]).map((task) => path.basename(task));
  });

/** Programs that test what is in their folder. */
const TESTS = /^(pytest|rspec|phpunit|pest|jest|vitest|mocha)$/;

const firstOf = (all: readonly Word[]): string => all.find(({ text }) => !text.startsWith("-"))?.text ?? "";
const words = (start: string, ...more: string[]): Word[] => [...start.split(" "), ...more].map(literal);

/** Returns the values of a flag, also those that are attached to it or to a cluster of letters. */
const valuesOf = (flag: RegExp, all: readonly Word[]): string[] =>
  all.flatMap(({ text }, i) => {
    const attached = /^-[a-z]*?p(?!$)=?(.+)/.exec(text)?.[1];
    if (attached !== undefined && flag.test("-p")) return [attached];
    return flag.test(text) ? [text.includes("=") ? text.replace(/^[^=]*=/, "") : (all[i + 1]?.text ?? "")] : [];
  });

/** `cargo run -p xtask -- codegen` is `cargo xtask codegen` where the project has that alias. Without a name, cargo runs the package of the folder. */
function cargoRuns(rest: readonly Word[], cwds: readonly string[]): Word[][] {
  const named = valuesOf(/^(-[a-z]*p|--(package|bin))(=|$)/, rest);
  const folders = [...valuesOf(/^--manifest-path(=|$)/, rest).map((file) => path.dirname(file)), ...cwds];
  const names = named.length > 0 ? named.flatMap(packagesIn) : folders.map((folder) => path.basename(folder));
  const run = rest.findIndex(({ text }) => /^r(un)?$/.test(text));
  const handed = rest
    .slice(run + 1)
    .filter(({ text }, i, all) => text !== "--" && !(text.startsWith("-") && all.slice(i).some((each) => each.text === "--")));
  const own = handed.filter(({ text }) => !names.includes(text));
  return names.flatMap((name) => [
    [...words("cargo", name), ...own],
    [...words("cargo run -p", name), ...own],
  ]);
}

/** Returns the names in the ID of a package: `path+file:///x/tool#0.1.0`, `tool@0.1.0`. Source: "Package ID Specifications" in the Cargo Book. */
const packagesIn = (id: string): string[] => [id, path.basename(id.replace(/#.*/, "")), id.replace(/^.*#/, "").replace(/@.*/, "")];

/** `:migrate` and `migrate` are targets of the package in the folder. Source: "Labels" in the documentation of Bazel. */
const labelOf = (word: Word, folder: string): Word =>
  word.kind === "literal" && /^:?[\w.-]+$/.test(word.text) && !word.text.startsWith("-")
    ? literal(BAZEL_VERB.test(word.text) ? word.text : `//${folder}:${word.text.replace(/^:/, "")}`)
    : word;
const BAZEL_VERB = /^(build|run|test|query|cquery|aquery|coverage|fetch|info|clean|mobile-install)$/;

/** `moon web:e2e`, `nx e2e web`, `nx run-many -t e2e -p web` and `nx e2e` in the folder of the project are `nx run web:e2e`. */
function nxRuns(rest: readonly Word[], cwds: readonly string[]): Word[][] {
  const listOf = (flag: RegExp) => valuesOf(flag, rest).flatMap((each) => each.split(","));
  const isValue = (i: number) => /^-(-\w[\w-]*|[tp])$/.test(rest[i - 1]?.text ?? "");
  const [verb = "", ...operands] = rest.filter(({ text }, i) => !text.startsWith("-") && !isValue(i)).map(({ text }) => text);
  const isForMany = /^(run-many|affected)$/.test(verb);
  const isTarget = !isForMany && !/^(run|show|graph)$/.test(verb);
  const named = (verb === "run" ? operands : verb.includes(":") ? [verb] : []).map((each) => each.replace(/^[^:]*:/, ""));
  const targets = [...listOf(/^(-t|--targets?)(=|$)/), ...(isForMany ? operands : isTarget ? [verb] : [])];
  const projects = [...listOf(/^(-p|--projects?)(=|$)/), ...(isTarget ? operands.slice(0, 1) : [])];
  const places = isForMany || projects.length > 0 ? projects : cwds.map((cwd) => path.basename(cwd));
  const names = (target: string) => (places.length > 0 ? places.map((project) => `${project}:${target}`) : [target]);
  return [
    ...named.flatMap((target) => [words("npm run", target), words("nx", target)]),
    ...targets.flatMap((target) => [words("npm run", target), ...names(target).map((name) => words("nx run", name))]),
  ];
}
