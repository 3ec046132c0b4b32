import path from "node:path";
import { harmlessSetting, steersPrograms } from "../permission/command/words/harmless-variables.ts";
import { isForTerminal, isWithheld } from "../system/commands/child-env.ts";

/** Variables that make known programs load code, settings or libraries, besides those of shells and languages that the gate knows. */
const LOADING =
  /^(\w+_(PRELOAD|WRAPPER|OPTS|OPTIONS|COMMAND|EDITOR|PAGER|SHELL|RSH|ASKPASS|PROXY)|\w*PATH|\w+_PROXY|\w*RC|(RIPGREP|CONFIG|GREP|TAR|RSYNC|CVS|SVN|HG|JQ|DOTNET|COR|CORECLR|MAVEN|GRADLE|YARN|PNPM|COREPACK|BUN|DENO|PIP|UV|POETRY|PDM|PIPENV|CONDA|BUNDLE|GEM|PHP|COMPOSER|LUA|JULIA|TCL|TERM|OPENSSL|SSL|CURL|MAN|FZF|BAT|PSQL|VIM|NVIM|EMACS|QT|GTK|GIO|ANSIBLE|CMAKE|NINJA|TF_CLI|PAGER|DIRENV|MISE|_?_MISE|ASDF|NIX)_\w*|_JAVA_OPTIONS|EXINIT|VIMINIT|MYVIMRC|ZDOTDIR|MAGIC|AS|LD|AR|NIX_\w*|PGSERVICEFILE|PGSYSCONFDIR|PGPASSFILE)$/i;

/** Variables that only say where a toolchain is installed. They are passed on if no agent can write that folder. */
const INSTALLATION =
  /^(JAVA_HOME|GOROOT|ANDROID_HOME|ANDROID_SDK_ROOT|RUSTUP_HOME|RUSTUP_TOOLCHAIN|CARGO_HOME|DOTNET_ROOT|GRAALVM_HOME|MAVEN_HOME|GRADLE_HOME)$/;

/** Variables that name settings in which a program finds others to run, such as those that give kubectl a login. They are passed on as above. */
const SETTINGS =
  /^(KUBECONFIG|GNUPGHOME|GH_CONFIG_DIR|GLAB_CONFIG_DIR|CLOUDSDK_CONFIG|AZURE_CONFIG_DIR|AZURE_EXTENSION_DIR|HELM_(CONFIG_HOME|DATA_HOME|PLUGINS|REPOSITORY_CONFIG))$/;

/** Bookkeeping of the tools, which nobody misses. */
const BOOKKEEPING = /^(DIRENV_\w*|_*MISE_\w*|PATH|PWD|OLDPWD|SHLVL|_|PS1|TERM)$/;

const MAX_VARIABLES = 500;
const MAX_CHARACTERS = 32_768;

/**
 * The variables of a tool that commands get, and the names of those that they do not get: secrets by their names, and variables for which
 * the gate would ask in a command line because they make programs run or load something else.
 */
export function safeVariables(
  variables: Readonly<Record<string, string>>,
  isOfProject: (folder: string) => boolean,
): { kept: Record<string, string>; dropped: string[] } {
  const kept: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    if (BOOKKEEPING.test(name)) continue;
    const isFine = /^[A-Za-z_]\w*$/.test(name) && value.length <= MAX_CHARACTERS && !value.includes("\0");
    const isSafe = isFine && !isWithheld(name) && !isForTerminal(name) && isHarmless(name, value, isOfProject);
    if (isSafe && Object.keys(kept).length < MAX_VARIABLES) kept[name] = value;
    else dropped.push(name);
  }
  return { kept, dropped };
}

function isHarmless(name: string, value: string, isOfProject: (folder: string) => boolean): boolean {
  if (harmlessSetting(name, value)) return true;
  if (INSTALLATION.test(name)) return name === "RUSTUP_TOOLCHAIN" ? /^[\w.-]+$/.test(value) : path.isAbsolute(value) && !isOfProject(value);
  if (SETTINGS.test(name)) return value.split(path.delimiter).every((each) => path.isAbsolute(each) && !isOfProject(each));
  return !steersPrograms(name) && !LOADING.test(name);
}
