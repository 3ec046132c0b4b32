import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { attempt, exists } from "./command/files/path-on-disk.ts";
import { entriesOf } from "./command/files/walk-folder.ts";
import { holdsKeys, isSecretFile } from "./command/files/key-files.ts";
import { realPathOf } from "./disk-view.ts";
import type { LocatedPath } from "./located-path.ts";
import { PROTECTED, PROTECTED_ENDINGS, PROTECTED_IN, PROTECTED_PATTERN } from "./protected-names.ts";

const ASKING: ReadonlySet<string> = new Set(PROTECTED);

type Place = { name: string; parts: string[] };
const places = (names: string): Place[] => names.split(" ").map((name) => ({ name, parts: name.toLowerCase().split("/") }));

/** Places in the home folder that hold keys. No tool reads or writes them. */
const KEYS = places(
  ".ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .local/share/keyrings .password-store .netrc .pypirc .git-credentials Library/Keychains",
);

/** True if the name of a file says that it holds keys, in any folder: `.env`, `.env.local` and `prod.env`, but not `.env.example`. */
const isKeyFile = (parts: readonly string[]): boolean => isSecretFile(parts.slice(-2).join("/"));

/** The places with keys in the home folder, as absolute paths. */
export const keyPaths = (): string[] => KEYS.map(({ name }) => path.join(realHome(), name));

/** Whether a file can have a floor because of its name alone. It is fast, for lists of many files. `parent`: the name of its folder. */
export function hasLimitedName(name: string, parent: string): boolean {
  const folded = foldName(name);
  if (ASKING.has(folded) || IN_FOLDER.get(folded)?.has(foldName(parent)) === true) return true;
  return MAY_BE_LIMITED.test(folded) && (protectedName([folded]) !== undefined || isKeyFile([foldName(parent), folded]));
}

/** A cheap filter for names with a variable part, and for those that rules may ask about. */
const MAY_BE_LIMITED = new RegExp(
  `^\\.|^(?:id_|mise|credentials|config|hosts\\.yml|auth\\.json|token|rclone|hub|g?shadow|environ|master\\.key)|\\.env|\\.(?:p12|pfx|ppk)|(?:${PROTECTED_ENDINGS.map((ending) => ending.replaceAll(".", "\\.")).join("|")})$`,
);

const IN_FOLDER: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Map.groupBy(PROTECTED_IN, ([, name]) => name)].map(([name, places]) => [name, new Set(places.map(([folder]) => folder))]),
);

/** Files and folders in the home folder that run at login or with the next command. */
const STARTING = places(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc .xprofile .xinitrc .xsession .xsessionrc .login .logout .bash_completion .bashrc.d .local/share/systemd .config/plasma-workspace .gitconfig .config/git .config/fish .config/autostart .config/systemd .config/environment.d Library/LaunchAgents",
);

/** Folders of the system, and places in the home folder with programs, or with settings that name programs. */
const SYSTEM =
  /^(\/private)?\/(etc|usr|s?bin|lib\w*|boot|opt|proc|sys|run|dev(?!\/(shm|null|zero|full|tty|stdin|stdout|stderr|fd)(\/|$))|System|Library|Applications|var\/(spool|lib))(\/|$)/;
export const SYSTEM_PLACES = "folders of the system and of programs";
const PROGRAMS = places(
  "bin .local/bin .local/lib .cargo/bin .rustup go/bin .pyenv/shims .pyenv/bin .rbenv .nodenv .asdf .volta .bun/bin .deno/bin .fnm .sdkman .rvm .proto .dotnet/tools .local/share/pnpm .local/share/mise .local/share/fnm .local/share/uv .config/yarn .config/Code .emacs .emacs.d .config/emacs .nvm .tmux.conf .config/nvim .vimrc .gradle .m2 .curlrc",
);

/** The source of a floor for a path in the daemon's own folders. */
export const OWN_FOLDERS = "Baton's own folders";

/**
 * Returns the floor of a path, which no rule may loosen. It protects Baton's own folders, git's internal files, key folders, and
 * names that control other programs. `named`: the path as the agent wrote it, before links in it were followed.
 */
export function floorOf(action: string, located: LocatedPath, ownRoots: readonly string[], named = located.real): SourcedRule | undefined {
  const { real, relative, inside } = located;
  const floor = (resource: string, effect: Effect, source: string): SourcedRule => ({ action, resource, effect, layer: "gate", source });
  const own = ownRoots.find((root) => isWithin(root, real));
  if (own !== undefined && !(action === "read" && isOfPlugin(own, real))) return floor(own, "deny", OWN_FOLDERS);
  const kept = placeOf(action === "edit" ? [...KEYS, ...STARTING] : KEYS, real);
  if (kept !== undefined) return floor(`~/${kept.name}`, "deny", "protected places");
  if (action === "read" && (isKeyFile(partsOf(real)) || (named !== real && isKeyFile(partsOf(named))) || holdsKeys(real)))
    return floor(path.basename(real), "ask", "files that hold keys");
  if (action !== "edit") return undefined;
  const workspace = inside ? real.slice(0, -relative.length) : undefined;
  const isOfSystem = SYSTEM.test(real) && (workspace === undefined || !SYSTEM.test(workspace));
  const isProgram = placeOf(PROGRAMS, real) !== undefined && (workspace === undefined || isWithin(workspace, realHome()));
  if (isOfSystem || isProgram) return floor(path.dirname(real), "ask", SYSTEM_PLACES);
  const name = inside ? nameWithin(real.slice(0, -relative.length), relative, named) : protectedName(partsOf(real));
  return name === undefined ? undefined : floor(name, "ask", "protected names");
}

/** True for the files of an installed plugin. Skills refer to them, so they may be read, but never changed. */
function isOfPlugin(root: string, real: string): boolean {
  const [plugins, name = ".", files] = path.relative(root, real).split(path.sep);
  return plugins === "plugins" && !name.startsWith(".") && files === "files";
}

/** True if `real` is `root` or is below it. The check compares whole parts of the path. */
export function isWithin(root: string, real: string): boolean {
  const relative = path.relative(root, real);
  return relative === "" || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..");
}

function protectedName(parts: readonly string[]): string | undefined {
  const last = parts.at(-1) ?? "";
  if (last.startsWith(".") && PROTECTED_IN.some(([folder]) => folder === last)) return last; // it may be a link
  const steering = parts.find(
    (part) => ASKING.has(part) || PROTECTED_ENDINGS.some((ending) => part.endsWith(ending)) || PROTECTED_PATTERN.test(part),
  );
  if (steering !== undefined) return steering;
  const inFolder = PROTECTED_IN.find(([folder, name]) => parts.some((part, i) => part === name && parts[i - 1] === folder));
  return inFolder?.join("/");
}

/** Returns the protected name of a file in a workspace. It may have one through a link. */
function nameWithin(root: string, relative: string, named: string): string | undefined {
  const written = path.relative(root, path.resolve(root, named));
  const names = written === relative || written.startsWith("..") ? [relative] : [relative, written];
  return (
    names.map((each) => protectedName(partsOf(each))).find(Boolean) ??
    linkedName(path.join(root, relative), root) ??
    linkedPlace(path.join(root, relative), root)
  );
}

/** Returns the protected name of a link in the workspace that leads to a file or to a folder around it, such as `.husky -> hooks`. */
function linkedPlace(real: string, root: string): string | undefined {
  const links = entriesOf(root).filter((entry) => entry.isSymbolicLink() && ASKING.has(foldName(entry.name)));
  return links.find(({ name }) => {
    const target = attempt(() => realPathOf(path.join(root, name)));
    return target !== undefined && target !== root && isWithin(root, target) && isWithin(target, real);
  })?.name;
}

/** Returns a protected name that a file has through a link, such as `.cargo/config.toml` if `.cargo` leads to the folder of the file. */
function linkedName(real: string, root: string): string | undefined {
  const [folder, name] = [path.dirname(real), path.basename(real)];
  const links = [...(IN_FOLDER.get(foldName(name)) ?? [])].flatMap((each) =>
    [root, path.dirname(folder)].map((base) => path.join(base, each)),
  );
  const link = links.find((each) => exists(each) && realPathOf(each) === folder);
  return link && `${path.basename(link)}/${name}`;
}

const NAMES = [...ASKING, ...PROTECTED_IN.map(([, name]) => name)];
const PREFIXES = new Set(NAMES.flatMap((name) => ["", ...Array.from(name, (_, i) => name.slice(0, i + 1))]));

/** True if a protected name begins with this text. A program that adds an ending may create that name. */
export const isProtectedNamePrefix = (prefix: string): boolean => PREFIXES.has(prefix.toLowerCase());

function placeOf(kept: readonly Place[], real: string): Place | undefined {
  const all = partsOf(real);
  if (!kept.some((place) => all.includes(place.parts[0] ?? ""))) return undefined; // faster than a look at the home folder
  const parts = partsOf(path.relative(realHome(), real)); // outside of the home folder they begin with `..`
  return kept.find((place) => place.parts.every((part, i) => part === parts[i]));
}

function realHome(): string {
  const named = homedir();
  return exists(named) ? realpathSync.native(named) : named;
}

const partsOf = (file: string): string[] => file.split(/[\\/]/).map(foldName);

const NOT_ASCII = /[^\x20-\x7e]/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns a name as a lenient file system reads it. Letter case, invisible characters, and trailing dots and blanks do not count. */
function foldName(name: string): string {
  const visible = NOT_ASCII.test(name) ? name.normalize("NFKC").replace(IGNORABLE, "") : name;
  const last = visible.at(-1);
  return last === "." || last === " " ? visible.toLowerCase().replace(/[. ]+$/, "") : visible.toLowerCase();
}
