/** The arguments that a name of another agent can mean, by the name in lower case without separators. The first that the tool has counts. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  filepath: ["path"],
  filename: ["path"],
  file: ["path"],
  targetfile: ["path"],
  absolutepath: ["path"],
  relativepath: ["path"],
  notebookpath: ["path"],
  directory: ["path", "workdir"],
  dirpath: ["path", "workdir"],
  cwd: ["workdir"],
  workingdirectory: ["workdir"],
  workingdir: ["workdir"],
  oldstring: ["old_text"],
  oldstr: ["old_text"],
  newstring: ["new_text"],
  newstr: ["new_text"],
  replaceall: ["replace_all"],
  cmd: ["command"],
  script: ["command"],
  timeout: ["timeout_ms"],
  runinbackground: ["background"],
  isbackground: ["background"],
  regex: ["pattern"],
  query: ["pattern"],
  include: ["glob"],
  contents: ["content"],
  filetext: ["content"],
  text: ["content"],
  input: ["patch"],
  patchtext: ["patch"],
  diff: ["patch"],
  shellid: ["id"],
  bashid: ["id"],
  sessionid: ["id"],
  chars: ["text"],
  tty: ["terminal"],
  skill: ["name"],
  subagenttype: ["mode"],
  prompt: ["message"],
  plan: ["todos"],
};

/** Arguments in which models explain a call or give hints to another agent. They have no effect. */
const REMARKS: ReadonlySet<string> = new Set([
  "description",
  "explanation",
  "justification",
  "requiresapproval",
  "yieldtimems",
  "maxoutputtokens",
  "login",
]);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The argument among `known` that a model means by a name. */
export const argumentCalledAs = (name: string, known: readonly string[]): string | undefined =>
  [snakeCase(name), ...(NAMES[plain(name)] ?? [])].find((each) => known.includes(each));

export const isRemark = (name: string): boolean => REMARKS.has(plain(name));

/** Converts `READ_FILE`, `read-file` and `readFile` to `read_file`. */
export const snakeCase = (name: string): string =>
  (/[a-z]/.test(name) ? name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2") : name).toLowerCase().replaceAll("-", "_");
