import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { attempt, foldersFrom, isFolder } from "../files/path-on-disk.ts";
import { nameMatcher, wordSet } from "../tables/name-matcher.ts";
import { repositoryOf } from "../git/git-index.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import type { Word } from "../words/word.ts";

/**
 * Files of a workspace that decide which program runs or which other files it loads. A shim or a wrapper runs the program that such a file
 * names. `isHarmless`: true for contents that choose nothing. Without it, every such file counts.
 */
type Choosing = readonly [program: (name: string) => boolean, files: string, isHarmless?: (text: string, file: string) => boolean];

const matching = (pattern: RegExp) => (name: string) => pattern.test(name);

/** True if each line that is no comment has one of these forms. Quotes, escapes and references could spell other settings. */
const hasOnly = (line: RegExp) => (text: string) => text.split(/\r?\n/).every((each) => /^\s*([#;].*)?$/.test(each) || line.test(each));

/** Settings in `.npmrc` that load nothing and write nothing elsewhere. npm replaces `${x}` in keys and values. */
const NPM_SETTINGS =
  /^(\/\/[\w./:-]+:_authToken ?= ?\S+|(@[\w.-]+:)?registry ?= ?[\w./:-]+|(save-(exact|prefix)|engine-strict|fund|audit(-level)?|package-lock|legacy-peer-deps|(auto-install|strict)-peer(s|-dependencies)|shamefully-hoist|node-linker|(public-)?hoist(-pattern\[\])?|access|strict-ssl|update-notifier|loglevel|progress|fetch-[\w-]+|prefer-[\w-]+|link-workspace-packages|save-workspace-protocol|resolution-mode|dedupe-[\w-]+|ignore-scripts|enable-pre-post-scripts) ?= ?[\w.*^~@/-]+)\s*$/;

/** A line below a setting of `pnpm-workspace.yaml`, or a setting that loads nothing. */
const PNPM_SETTINGS =
  /^(\s+\S|- |(packages|catalogs?|(onlyBuilt|neverBuilt|ignoredBuilt|patched)Dependencies|overrides|peerDependencyRules|packageExtensions|allow(edDeprecatedVersions|Builds)|(link|prefer|inject)Workspace\w+|s(ave|hared)Workspace\w+|(autoInstall|strict)Peer\w+|shamefullyHoist|(publicH|h)oist(Pattern)?|nodeLinker|minimumReleaseAge(Exclude)?|dedupe\w+|resolutionMode|engineStrict|save(Prefix|Exact)|trustPolicy|catalogMode|cleanupUnusedCatalogs):( [^|>&*]*)?$)/;

/** True if the top level of the file begins at its first column, and has only such settings. */
const isPlainYaml = (text: string): boolean => !/^\s/.test(text.replace(/^(\s*#.*\n|\s*\n)*/, "")) && hasOnly(PNPM_SETTINGS)(text);

/** True for a manifest that names no package manager and no version of node. */
function isPlainManifest(text: string): boolean {
  const { pnpm, ...manifest } = JSON.parse(text) as Record<string, object | undefined>;
  const known = wordSet(
    "overrides onlyBuiltDependencies ignoredBuiltDependencies peerDependencyRules patchedDependencies packageExtensions",
  );
  return (
    !["packageManager", "devEngines", "volta"].some((key) => Object.hasOwn(manifest, key)) &&
    Object.keys(pnpm ?? {}).every((key) => known.has(key))
  );
}

/** True for a list of versions. Anything else, such as `path:` or the name of a source, may choose a program of the workspace. */
const listsVersions = (text: string): boolean =>
  !/\\|path|PATH|postinstall|\{[{%]|(?<!\w)_(?!\w)|["'][^"'\n]*:[^"'\n]*["']|^[^#\n]*\b(path|ref):/m.test(
    text.replaceAll(/^\s*#.*$/gm, ""),
  );

/** True for a compose file without parts from elsewhere. Docker fetches those even to list containers. */
function isWholeCompose(text: string, file: string, depth = 0): boolean {
  const included = /^include:\n((?:\s+- [\w./-]+\.ya?ml\n)+)/m.exec(text)?.[1]?.match(/[\w./-]+\.ya?ml/g) ?? [];
  const rest = text.replace(/^include:\n(\s+- [\w./-]+\.ya?ml\n)+/m, "");
  const isIncludedWhole = (name: string) => {
    const place = path.resolve(path.dirname(file), name);
    return depth < MAX_INCLUDES && isWholeCompose(attempt(() => readFileSync(place, "utf8")) ?? "", place, depth + 1);
  };
  return !REMOTE_PART.test(rest) && included.every(isIncludedWhole);
}

const MAX_INCLUDES = 5;
const REMOTE_PART = /\\[xuU]|^\s*(export\s+)?COMPOSE_FILE\s*[=:]|\binclude\b|file["']?\s*:\s*["']?\S*(:\/\/|\.git|git@|[*&])/m;

/** Programs that a manager of versions commonly puts a shim in front of. */
const mayBeShim =
  nameMatcher(`node nodejs npm npx pnpm pnpx yarn bun bunx deno tsc eslint python# pip# uv uvx poetry ruby gem bundle perl php
  go gofmt cargo rustc java javac mvn gradle kotlinc dotnet jq yq rg fd bat gh glab kubectl helm terraform tofu docker-compose shellcheck
  shfmt hadolint sqlite3 tokei delta protoc zig lua swift elixir erl ghc composer aws az gcloud`);

const CHOOSING: readonly Choosing[] = [
  [matching(/^(cargo|rustc|rustup)$/), "rust-toolchain rust-toolchain.toml"],
  [matching(/^yarn$/), ".yarnrc .yarnrc.yml"],
  [matching(/^(mvn|java|javac)$/), ".mvn"],
  [matching(/^dotnet$/), "global.json"],
  [matching(/^poetry$/), ".poetry"],
  [matching(/^bundle$/), ".bundle Gemfile.lock"],
  [matching(/^jest$/), "node_modules/jest"],
  [matching(/^pip/), ".hg .svn .bzr"],
  [matching(/^docker/), "docker-compose.yml docker-compose.yaml compose.yml compose.yaml .env", isWholeCompose],
  [
    matching(/^docker/),
    "docker-compose.override.yml docker-compose.override.yaml compose.override.yml compose.override.yaml",
    isWholeCompose,
  ],
  [matching(/^(npm|npx|pnpm|pnpx)$/), ".npmrc", hasOnly(NPM_SETTINGS)],
  [matching(/^(rg|ripgrep)$/), ".gitignore .ignore .rgignore", () => true], // a file of the text may include hidden files
  [matching(/^gradle$/), "gradle.properties"],
  [matching(/^pnpm$/), ".pnpmfile.cjs .pnpmfile.mjs"],
  [matching(/^(pnpm|pnpx)$/), "pnpm-workspace.yaml", isPlainYaml],
  [matching(/^(pnpm|pnpx|yarn)$/), ".corepack.env package.yaml package.json5"],
  [matching(/^(node|npm|npx|pnpm|pnpx|yarn)$/), ".volta"],
  [matching(/^(pnpm|pnpx|yarn)$/), "package.json", isPlainManifest],
  [mayBeShim, ".tool-versions mise.toml .mise.toml mise.local.toml .mise.local.toml .rtx.toml .mise/config.toml", listsVersions],
  [mayBeShim, "mise/config.toml .config/mise.toml .config/mise/config.toml .prototools", listsVersions],
  [mayBeShim, "aqua.yaml .aqua.yaml aqua/aqua.yaml", (text) => !/\\|\b(local|github_content|http|import)\b/.test(text)],
  [matching(/^go$/), "go.mod go.work", (text) => !/^\s*toolchain\s/m.test(text) && /^go 1\.[1-4]?\d(\.\d+)?\s*$/m.test(text)],
  [matching(/^shellcheck$/), ".shellcheckrc shellcheckrc", (text) => !text.includes("external-sources")],
];

/**
 * True if a file in the working directory, or in a folder above it up to the repository, may choose the program that runs. The words of a call
 * may name others.
 * `made`: files that the text makes, which count in any folder. A file that cannot be read may choose the program.
 */
export function isChosenHere(
  name: string,
  words: readonly Word[],
  { cwds, place: { workspace } }: Pick<ShellContext, "cwds" | "place">,
  made: ReadonlySet<string>,
): boolean {
  const rows = CHOOSING.filter(([isProgram]) => isProgram(name));
  if (rows.length === 0) return false;
  // Above the repository, files are those of the user.
  const top = path.dirname(repositoryOf(workspace)?.root ?? workspace);
  const upward = (folder: string) => foldersFrom(folder).filter((each) => !`${top}/`.startsWith(each === "/" ? each : `${each}/`));
  const isNamed = (i: number) => /^(-f|--file)$/.test(words[i - 1]?.text ?? "");
  const named = name.startsWith("docker")
    ? words.flatMap(({ text }, i) => (isNamed(i) ? text : (/^(?:-f|--file)=?(.+)$/.exec(text)?.[1] ?? [])))
    : [];
  const beside = name === "shellcheck" ? words.map(({ text }) => path.dirname(text)) : [];
  const places = [...new Set(cwds.flatMap((cwd) => [...upward(cwd), ...beside.map((each) => path.resolve(cwd, each))]))];
  return rows.some(([, list, isHarmless = () => false]) => {
    const files = [...list.split(" "), ...named];
    const found = places.flatMap((place) => files.map((file) => path.resolve(place, file)));
    const mayChoose = (file: string): boolean => {
      if (!existsSync(file)) return false;
      const text = isFolder(file) ? "" : attempt(() => readFileSync(file, "utf8"));
      return text === undefined || attempt(() => isHarmless(text, file)) !== true;
    };
    return (
      [...made].some((file) => files.some((each) => `/${file}`.endsWith(`/${each.replace(/^.*\.\.\//, "")}`))) || found.some(mayChoose)
    );
  });
}
