import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { CERTIFICATE_VARIABLES } from "../commands/child-env.ts";

/** Folders of the home folder with programs and libraries that builds need. They hold no keys. */
const TOOLCHAINS =
  ".nvm .volta .fnm .asdf .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv .local/share/virtualenv .local/share/pipx .rustup .cargo/bin .cargo/env .pyenv .rbenv .rvm .gem .sdkman .bun/bin .deno/bin .dotnet .jdks .gradle/wrapper .m2/wrapper .cache/ms-playwright .cache/puppeteer .cache/node .cache/pre-commit .nix-profile .gitconfig .config/git/config .config/git/ignore".split(
    " ",
  );

/** Keys in folders of toolchains: of RubyGems and uv, and certificates of .NET. */
export const TOOLCHAIN_CREDENTIALS = [".gem/credentials", ".local/share/uv/credentials", ".dotnet/corefx"];

/** System folders. Everything else at the root of the machine is invisible, such as other projects and mounted drives. */
const SYSTEM =
  "usr bin sbin lib lib32 lib64 libx32 opt etc nix gnu sys snap var/lib/ca-certificates var/lib/gems var/cache/fontconfig run/current-system run/opengl-driver".split(
    " ",
  );

export const systemFolders = (): string[] => SYSTEM.map((name) => `/${name}`).filter((folder) => existsSync(folder));

/** Files and folders in /etc that other users cannot read, if Baton runs as root. Root inside the sandbox could read them. */
export function closedSystemFiles(folder = "/etc"): string[] {
  if (process.getuid?.() !== 0) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    if ((lstatSync(file).mode & 0o004) === 0) return [file];
    return entry.isDirectory() ? closedSystemFiles(file) : [];
  });
}

/**
 * The folders outside of the system that a program sees without being able to write them: toolchains in the home folder, and the folders of
 * programs in `searchPath`. A folder `bin` comes with its parent if that holds the libraries of its programs, and is no project.
 */
export function toolchainFolders(home: string, searchPath: string): string[] {
  const ofHome = TOOLCHAINS.map((name) => path.join(home, name));
  const listed = new Set(ofHome.map(realpathOf));
  const isListed = (folder: string) => listed.has(realpathOf(folder)); // around `.local/bin` are the keyrings of the user
  const ofPath = searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isOfSystem(folder))
    .map((folder) => (isListed(folder) ? folder : programFolder(folder)))
    .filter((folder) => !isAtOrBelow(home, realpathOf(folder))); // a path such as the home folder itself
  const visible = [...new Set([...ofHome, ...ofPath])].filter((folder) => existsSync(folder));
  const mounted = visible.flatMap((folder) => {
    const real = realpathSync(folder);
    return real === folder || isOfSystem(real) ? [folder] : [real, folder];
  });
  return mounted
    .filter((folder) => realpathSync(folder) !== folder || !mounted.some((other) => isBelow(folder, other)))
    .flatMap((folder) => withoutKeys(folder, home));
}

/**
 * A folder with keys is replaced by everything else in it. A mount over a key would not be enough: the program can exchange folders of its
 * private home folder while the mounts are made.
 */
function withoutKeys(folder: string, home: string): string[] {
  const isHolder = (key: string) => realpathOf(path.dirname(key)) === realpathSync(folder);
  const keys = TOOLCHAIN_CREDENTIALS.map((name) => path.join(home, name)).filter(isHolder);
  if (keys.length === 0) return [folder];
  const names = readdirSync(folder).filter((name) => !keys.some((key) => path.basename(key) === name));
  return names.map((name) => path.join(folder, name));
}

/** Each mount delays the start of every command, and one below another shows nothing new. */
const isBelow = (folder: string, other: string): boolean => folder !== other && isAtOrBelow(folder, other);

const MAX_CERTIFICATES = 8 * 1024 * 1024;

/** The files with certificates that variables of the user name, such as those of a company. A file with a key is not among them. */
export function certificateFiles(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = new Set(CERTIFICATE_VARIABLES.flatMap((name) => env[name] ?? []));
  return [...named].filter((file) => {
    const stats = path.isAbsolute(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
    if (!stats?.isFile() || stats.size > MAX_CERTIFICATES || isOfSystem(realpathSync(file))) return false;
    return isCertificates(file);
  });
}

function isCertificates(file: string): boolean {
  try {
    const text = readFileSync(file, "latin1");
    return text.includes("BEGIN CERTIFICATE") && !text.includes("PRIVATE KEY");
  } catch {
    return false; // it cannot be read
  }
}

/** The folder of a program together with the libraries of its programs, if the folder above has them and is no project. */
export function programFolder(folder: string): string {
  const parent = path.dirname(folder);
  const has = (name: string) => existsSync(path.join(parent, name));
  return PROGRAMS.has(path.basename(folder)) && LIBRARIES.some(has) && !PROJECT.some(has) ? parent : folder;
}

/** Names of folders with programs. Version managers such as pyenv use `shims`. */
const PROGRAMS: ReadonlySet<string> = new Set(["bin", "shims"]);
const LIBRARIES = ["lib", "lib64", "libexec", "share", "include", "jre"];
/** Files of a project or of a home folder, whose other files are nobody's libraries. */
const PROJECT = [".git", "package.json", "Gemfile", "pyproject.toml", ".env", ".ssh", ".bashrc", ".profile"];

const realpathOf = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

const isOfSystem = (folder: string): boolean => SYSTEM.some((name) => isAtOrBelow(folder, `/${name}`));

/** Whether an absolute path is a folder or below it. */
export const isAtOrBelow = (file: string, folder: string): boolean => `${file}/`.startsWith(folder === "/" ? folder : `${folder}/`);
