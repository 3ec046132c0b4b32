type Env = Readonly<Record<string, string | undefined>>;

const PASSED = new Set(
  [
    "PATH HOME LANG LANGUAGE TERM TZ USER LOGNAME SHELL TMPDIR",
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY FTP_PROXY http_proxy https_proxy no_proxy all_proxy ftp_proxy",
    "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT CARGO_HTTP_CAINFO DENO_CERT",
  ].flatMap((names) => names.split(" ")),
);

/** Names that hold secrets or steer what a program loads. Nothing brings them back, also not a list of the user. */
const NEVER =
  /_TOKEN$|_KEY$|_SECRET$|PASSWORD|PASSWD|^AWS_|^NODE_OPTIONS$|^LD_|^DYLD_|^BASH_ENV$|^BASH_FUNC_|^ENV$|^GIT_|^BATON_|^SHELLOPTS$|^BASHOPTS$|^PS4$/i;

/** The environment of a command: built from a list of what is harmless and what the user lists, never handed down whole. */
export function childEnv(from: Env, listed: readonly string[] = []): Record<string, string> {
  const wanted = new Set(listed);
  const isPassed = (name: string) => (PASSED.has(name) || name.startsWith("LC_") || wanted.has(name)) && !NEVER.test(name);
  const passed = Object.entries(from).filter((entry): entry is [string, string] => entry[1] !== undefined && isPassed(entry[0]));
  return { PATH: "/usr/local/bin:/usr/bin:/bin", TERM: "dumb", ...Object.fromEntries(passed) };
}

/** An editor for a command that nobody watches: it says what to do instead, and fails. For programs that split it at blanks as well, it fails. */
const NO_EDITOR = `sh -c 'echo "No editor can be opened here. Give the text on the command line (git commit -m TEXT), or keep what is there (--no-edit, or GIT_EDITOR=true before the command)." >&2; exit 1'`;

/** For programs that would wait for a person at a terminal. What the user lists in passEnv holds instead. */
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
};

/** The environment of a command that an agent runs. */
export function commandEnv(from: Env, listed: readonly string[] = []): Record<string, string> {
  const unwatched = Object.entries(UNWATCHED).filter(([name]) => !listed.includes(name) || from[name] === undefined || NEVER.test(name));
  return { ...childEnv(from, listed), ...Object.fromEntries(unwatched) };
}
