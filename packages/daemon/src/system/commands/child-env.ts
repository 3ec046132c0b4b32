import path from "node:path";
import { currentPlatform, type Platform } from "../platform/platform.ts";
import { defaultPath, requiredVariables } from "../platform/required-env.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that name a file with the certificates that programs trust. */
export const CERTIFICATE_VARIABLES = [
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "PIP_CERT",
  "CARGO_HTTP_CAINFO",
  "DENO_CERT",
] as const;

const PASSED = new Set(
  [
    "PATH HOME LANG LANGUAGE TERM TZ USER LOGNAME SHELL TMPDIR",
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY FTP_PROXY http_proxy https_proxy no_proxy all_proxy ftp_proxy",
    "SSL_CERT_DIR",
  ]
    .flatMap((names) => names.split(" "))
    .concat(CERTIFICATE_VARIABLES),
);

/** Names that hold secrets or change what a program loads. Commands never get them, even if the user lists them. */
const NEVER =
  /_TOKEN$|_KEY$|_SECRET$|PASSWORD|PASSWD|^AWS_|^NODE_OPTIONS$|^LD_|^DYLD_|^BASH_ENV$|^BASH_FUNC_|^ENV$|^GIT_|^BATON_|^SHELLOPTS$|^BASHOPTS$|^PS4$/i;

/** Whether commands never get a variable of this name, because it holds a secret or changes what a program loads. */
export const isWithheld = (name: string): boolean => NEVER.test(name);

/** The environment of a command: harmless variables and those that the user lists, never the whole environment. */
export function childEnv(from: Env, listed: readonly string[] = [], platform: Platform = currentPlatform()): Record<string, string> {
  const wanted = new Set([...listed, ...requiredVariables(platform)]);
  const isPassed = (name: string) => (PASSED.has(name) || name.startsWith("LC_") || wanted.has(name)) && !NEVER.test(name);
  const passed = Object.entries(from).flatMap(([name, value]) =>
    value === undefined || !isPassed(name)
      ? []
      : [[name, name.toUpperCase() === "PATH" ? absoluteFolders(value, platform) : value] as const],
  );
  const fallback = passed.some(([name]) => name.toUpperCase() === "PATH") ? {} : { PATH: defaultPath(platform) };
  return { ...fallback, TERM: "dumb", ...Object.fromEntries(passed) };
}

/** The folders of PATH that every program finds in the same place. In a relative one, a workspace could put its own programs. */
function absoluteFolders(folders: string, platform: Platform): string {
  const paths = platform === "windows" ? path.win32 : path.posix;
  return folders
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder))
    .join(paths.delimiter);
}

/** The editor of commands without a user. It prints advice and fails, even if a program splits the value at spaces. */
const NO_EDITOR = `sh -c 'echo "No editor can be opened here. Pass the text on the command line (git commit -m TEXT), or keep the existing text (--no-edit, or GIT_EDITOR=true before the command)." >&2; exit 1'`;

/** For programs that would wait for a user at a terminal. Variables in the user's passEnv win. */
const UNWATCHED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  EDITOR: NO_EDITOR,
  VISUAL: NO_EDITOR,
  GIT_EDITOR: NO_EDITOR,
  GIT_SEQUENCE_EDITOR: NO_EDITOR,
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  GIT_TERMINAL_PROMPT: "0",
};

/** Whether Baton sets this variable itself, so that no program waits for a user at a terminal. */
export const isForTerminal = (name: string): boolean => Object.hasOwn(UNWATCHED, name);

/** The environment of an agent's command. */
export function commandEnv(from: Env, listed: readonly string[] = []): Record<string, string> {
  const unwatched = Object.entries(UNWATCHED).filter(([name]) => !listed.includes(name) || from[name] === undefined || NEVER.test(name));
  return { ...childEnv(from, listed), ...Object.fromEntries(unwatched) };
}

/** The environment of a command with a terminal. It may open editors and pagers, because the agent or the user can use them there. */
export const terminalEnv = (from: Env, listed: readonly string[] = []): Record<string, string> => ({
  ...childEnv(from, listed),
  TERM: "xterm-256color",
});
