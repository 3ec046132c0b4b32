import { attempt } from "../files/path-on-disk.ts";

export const COMPOSE_FILES: readonly string[] =
  `docker-compose.yml docker-compose.yaml docker-compose.override.yml docker-compose.override.yaml compose.yml compose.yaml
  compose.override.yml compose.override.yaml`.split(/\s+/);

/** Files with commands that a program runs without an argument that names them. */
export const RUN_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", "JUSTFILE", ".justfile"],
  ...Object.fromEntries(["docker", "docker-compose", "podman"].map((name) => [name, COMPOSE_FILES])),
  ...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["package.json"]])),
};

/** Returns the commands that a call with these words may take from such a text. Undefined if they are known only when they run. */
export function commandsTakenFrom(text: string, base: string, call: readonly string[]): string[] | undefined {
  if (RUN_FILES[base] === COMPOSE_FILES) return call[0] === "compose" || base === "docker-compose" ? undefined : [];
  if (base !== "make" && base !== "just") return scriptsRun(text, call);
  const lines = text.split("\n").map((line) => (base === "make" ? line : line.replace(/^\s+/, "\t")));
  if (lines.some((line) => !PLAIN_LINE.test(line))) return undefined;
  return lines.flatMap((line) => RECIPE.exec(line)?.[1]?.replaceAll("$$", "$") ?? []);
}

/** A line that sets nothing and replaces nothing: a comment, a rule, or a command without a variable of make or just. */
const PLAIN_LINE = /^(#.*|\s*|\.PHONY\s*:[\w\s-]*|[\w./-][\w ./-]*:[\w ./-]*(;[^$`]*)?|\t([^$`{]|\$\$|\{(?!\{))*(?<!\\))$/;
const RECIPE = /^(?:\t|[^#:]+:[^;]*;)[-@+ ]*(.+)$/;

/** Returns the scripts of a manifest that a call may run: all of them, unless it names some or only installs. */
function scriptsRun(text: string, call: readonly string[]): string[] | undefined {
  const manifest = attempt(() => JSON.parse(text) as { scripts?: Record<string, unknown> } | null);
  if (manifest === undefined) return text.includes("scripts") ? undefined : [];
  const scripts = Object.entries(manifest?.scripts ?? {});
  const isNamed = ([name]: [string, unknown]) => call.includes(name) || call.includes(name.replace(/^(pre|post)/, ""));
  const isNarrow = scripts.some(isNamed) || /^(install|i|ci|add)$/.test(call[0] ?? "");
  return scripts.flatMap((each) => (!isNarrow || isNamed(each) || /^(prepare|(pre|post)?install)$/.test(each[0]) ? [String(each[1])] : []));
}
