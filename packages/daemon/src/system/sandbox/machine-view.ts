import { existsSync, realpathSync } from "node:fs";
import path from "node:path";

/** Folders of the home folder with programs and libraries that builds need. They hold no keys. */
const TOOLCHAINS =
  ".nvm .volta .fnm .asdf .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv .local/share/virtualenv .rustup .cargo/bin .cargo/env .pyenv .rbenv .rvm .gem .sdkman .bun/bin .deno/bin .dotnet .jdks .gradle/wrapper .m2/wrapper .cache/ms-playwright .cache/puppeteer .cache/node .cache/pre-commit .nix-profile .gitconfig .config/git/config .config/git/ignore".split(
    " ",
  );

/** System folders. Everything else at the root of the machine is invisible, such as other projects and mounted drives. */
const SYSTEM =
  "usr bin sbin lib lib32 lib64 libx32 opt etc nix gnu sys snap var/lib/ca-certificates var/lib/gems var/cache/fontconfig run/current-system run/opengl-driver".split(
    " ",
  );

export const systemFolders = (): string[] => SYSTEM.map((name) => `/${name}`).filter((folder) => existsSync(folder));

/**
 * The folders outside of the system that a program sees without being able to write them: toolchains in the home folder, and the folders of
 * programs in `searchPath`. A folder `bin` comes with its parent, which holds the libraries of its programs.
 */
export function toolchainFolders(home: string, searchPath: string): string[] {
  const ofHome = TOOLCHAINS.map((name) => path.join(home, name));
  const ofPath = searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isOfSystem(folder))
    .map((folder) => (path.basename(folder) === "bin" ? path.dirname(folder) : folder))
    .filter((folder) => !isAtOrBelow(home, folder)); // a path such as ~/bin would show the whole home
  const visible = [...new Set([...ofHome, ...ofPath])].filter((folder) => existsSync(folder));
  return visible.flatMap((folder) => {
    const real = realpathSync(folder);
    return real === folder || isOfSystem(real) ? [folder] : [real, folder];
  });
}

const isOfSystem = (folder: string): boolean => SYSTEM.some((name) => isAtOrBelow(folder, `/${name}`));

/** Whether an absolute path is a folder or below it. */
export const isAtOrBelow = (file: string, folder: string): boolean => `${file}/`.startsWith(folder === "/" ? folder : `${folder}/`);
