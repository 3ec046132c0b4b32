import path from "node:path";
import { attempt, exists, foldersFrom, isFolder, readText } from "../files/path-on-disk.ts";
import { nameMatcher, wordSet } from "../tables/name-matcher.ts";
import { repositoryOf } from "../git/git-index.ts";
import type { Places } from "../shell/shell-context.ts";
import { textOfAll, type Word } from "../words/word.ts";

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
const isPlainManifest = (text: string): boolean => /^\s*\{/.test(text) && !/\\u|"(packageManager|devEngines|volta|pnpm)"/.test(text);

/** True for a list of versions. Anything else, such as `path:` or the name of a source, may choose a program of the workspace. */
const listsVersions = (all: string): boolean =>
  !/\\|path|PATH|postinstall|\{[{%]|(?<!\w)_(?!\w)|["'][^"'\n]*:[^"'\n]*["']|^[^#\n]*\b(path|ref):/m.test(all.replaceAll(/^\s*#.*$/gm, ""));

/** A part of a compose file that comes from elsewhere. Docker fetches it even to list containers. */
const REMOTE_PART = /\\[xuU]|^\s*(export\s+)?COMPOSE_FILE\s*[=:]|\binclude\b|file["']?\s*:\s*["']?\S*(:\/\/|\.git|git@|[*&])/m;
/** Programs that a manager of versions commonly puts a shim in front of. */
const SHIMS = `node nodejs npm npx pnpm pnpx yarn bun bunx deno tsc eslint python# pip# uv uvx poetry ruby gem bundle perl php go gofmt cargo
  rustc java javac mvn gradle kotlinc dotnet jq yq rg fd bat gh glab kubectl helm terraform tofu docker-compose podman-compose shellcheck shfmt hadolint
  sqlite3 tokei scc cloc hexyl delta protoc zig lua swift elixir erl ghc composer aws az gcloud`;

export const COMPOSE_FILES: readonly string[] =
  `docker-compose.yml docker-compose.yaml docker-compose.override.yml docker-compose.override.yaml compose.yml compose.yaml
  compose.override.yml compose.override.yaml`.split(/\s+/);

/**
 * Returns a row for files that decide which program runs or which other files it loads. A shim or a wrapper runs the program that such a file
 * names. `isHarmless`: true for contents that choose nothing. Without it, every such file counts.
 */
const row = (programs: string, files: string, isHarmless: (text: string) => boolean = () => false) => ({
  isProgram: nameMatcher(programs),
  files: wordSet(files),
  isHarmless,
});

const CHOOSING = [
  row("cargo* rustc rustup rustfmt rustdoc clippy-driver rust-* rls", "rust-toolchain rust-toolchain.toml"),
  row("yarn", ".yarnrc .yarnrc.yml"),
  row("mvn java javac", ".mvn"),
  row("dotnet", "global.json"),
  row("poetry", ".poetry"),
  row("bundle", ".bundle Gemfile.lock"),
  row("jest", "node_modules/jest"),
  row("pip*", ".hg .svn .bzr"),
  row("docker* podman*", `${COMPOSE_FILES.join(" ")} .env`, (text) => !REMOTE_PART.test(text)),
  row("npm npx pnpm pnpx", ".npmrc", hasOnly(NPM_SETTINGS)),
  row("rg ripgrep", ".gitignore .ignore .rgignore", () => true), // a file of the text may include hidden files
  row("gradle", "gradle.properties"),
  row("pnpm", ".pnpmfile.cjs .pnpmfile.mjs"),
  row("pnpm pnpx", "pnpm-workspace.yaml", isPlainYaml),
  row("pnpm pnpx yarn", ".corepack.env package.yaml package.json5"),
  row("node npm npx pnpm pnpx yarn", ".volta"),
  row("pnpm pnpx yarn", "package.json", isPlainManifest),
  row(
    SHIMS,
    `.tool-versions mise.toml .mise.toml mise.local.toml .mise.local.toml .rtx.toml .mise/config.toml mise/config.toml .config/mise.toml
      .config/mise/config.toml .prototools`,
    listsVersions,
  ),
  row(SHIMS, "aqua.yaml .aqua.yaml aqua/aqua.yaml", (text) => !/\\|\b(local|github_content|http|import)\b/.test(text)),
  row("go", "go.mod go.work", (text) => !/^\s*toolchain\s/m.test(text) && /^go 1\.[1-4]?\d(\.\d+)?\s*$/m.test(text)),
  row("shellcheck", ".shellcheckrc shellcheckrc", (text) => !text.includes("external-sources")),
];

/**
 * True if a file in the working directory, or in a folder above it up to the repository, may choose the program that runs. A call may name
 * others. `made`: files that the text makes, which count in any folder. A file that cannot be read may choose the program.
 */
export function isChosenHere(name: string, words: readonly Word[], { cwds, place }: Places, made: ReadonlySet<string>): boolean {
  const own = CHOOSING.filter(({ isProgram }) => isProgram(name));
  if (own.length === 0) return false;
  // Above the repository, files are those of the user.
  const top = path.dirname(repositoryOf(place.workspace)?.root ?? place.workspace);
  const upward = (folder: string) => foldersFrom(folder).filter((each) => !`${top}/`.startsWith(each === "/" ? each : `${each}/`));
  const named = /^(docker|podman)/.test(name)
    ? [...textOfAll(words).matchAll(/(?:^| )(?:-f|--file)[ =]?(\S+)/g)].map(([, file = ""]) => file)
    : [];
  const beside = name === "shellcheck" ? words.map(({ text }) => path.dirname(text)) : [];
  const places = [...new Set(cwds.flatMap((cwd) => [...upward(cwd), ...beside.map((each) => path.resolve(cwd, each))]))];
  return own.some(({ files, isHarmless }) => {
    const names = [...files, ...named];
    const mayChoose = (file: string): boolean => {
      if (!exists(file)) return false;
      const text = isFolder(file) ? "" : readText(file);
      return text === undefined || attempt(() => isHarmless(text)) !== true;
    };
    const isMade = (file: string) => names.some((each) => `/${file}`.endsWith(`/${each.replace(/^.*\.\.\//, "")}`));
    return [...made].some(isMade) || places.some((folder) => names.some((each) => mayChoose(path.resolve(folder, each))));
  });
}
