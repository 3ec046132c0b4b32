import path from "node:path";
import { resolvePath } from "../files/physical-path.ts";
import { wordSet } from "../tables/name-matcher.ts";
import type { ProjectCode } from "../programs/program-types.ts";

/**
 * Names of members that start programs, load code, or change files, whatever object they belong to. A value of the project may be a path of Python
 * or a module of Node.
 */
const RUNS_OR_CHANGES =
  wordSet(`run call Popen check_call check_output getoutput getstatusoutput popen system startfile spawn spawnSync spawnl spawnv fork forkpty
  exec execSync execFile execFileSync execv execve execvp execl eval compile require createRequire runInThisContext runInNewContext
  dlopen import_module reload runpy run_path run_module open write write_text write_bytes writelines writeFile writeFileSync appendFile
  appendFileSync createWriteStream truncate unlink unlinkSync rm rmSync rmdir rmdirSync rmtree removedirs rename renames renameSync
  copyFile copyFileSync cp cpSync move moveSync copytree symlink symlinkSync symlink_to hardlink_to link linkSync touch chmod chmodSync
  chown chownSync mkdir mkdirSync makedirs kill killpg read_text read_bytes readFile readFileSync urlopen urlretrieve connect sendall
  fetch openSync createReadStream WriteStream ReadStream writeSync opendirSync opendir utimes utimesSync compileFunction Script Worker
  createConnection createServer createSocket apply bind format format_map rename_to setenv setitem chdir syspath_prepend importActual
  importMock requireActual requireMock setattr delattr getattr globals locals binding rglob glob iterdir walk scandir listdir copy_into
  move_into Function`);

/** True for the name of a member that code may use on a value of the project. */
export const isPlainMember = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !name.includes("__") && !RUNS_OR_CHANGES.has(name);

/** Words in the names of functions that change what cannot be brought back, or reach other people. */
const LASTING =
  /^((re|un|auto)?(publish|deploy)\w*|releases?|upload\w*|push\w*|drop\w*|resets?|purge\w*|wipe\w*|destroy\w*|truncate\w*|rollback|promote|delete\w*|remove\w*|erase\w*|flush\w*|terminate\w*|send\w*|pay|charge\w*|refund\w*|migrate\w*)$/;

/** Returns a name of the project that says so: `drop_all`, `sendInvoice`. */
export const lastingName = ({ names }: ProjectCode): string | undefined =>
  names.find((name) =>
    name
      .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .some((part) => LASTING.test(part)),
  );

/** Members of lists that give each element to a function, or find one. */
const PASSES_ON = new Set(
  "map forEach filter some every find findIndex findLast includes indexOf length keys values entries count index".split(" "),
);

const namesOf = (type: object): string[] => Object.getOwnPropertyNames(type);

/** Members that compute a text, or a list from parts of it. Code may only print or compare the result. */
export const COMPUTES_TEXT: ReadonlySet<string> = new Set(
  [
    ...namesOf(String.prototype),
    ...namesOf(Array.prototype),
    ...namesOf(Object.prototype),
    ...`join replace lower upper strip lstrip rstrip split rsplit splitlines partition rpartition encode decode translate title capitalize swapcase casefold
    zfill removeprefix removesuffix ljust rjust center expandtabs maketrans hex fromhex from_bytes to_bytes toReversed toSorted toSpliced fromCharCode
    fromCodePoint with_name with_suffix with_stem with_segments joinpath isoformat strftime sub subn reduce relative_to parent parents absolute resolve
    expanduser as_posix as_uri description message stringify dumps stack cause`.split(/\s+/),
  ].filter((name) => !PASSES_ON.has(name)),
);

/** True for a text that is no address of a service. */
export const isPlainText = (text: string): boolean => !text.includes("://");

/** The endings that Python and Node add to the name of a module. */
export const ENDINGS = {
  python: [".py", "/__init__.py", ".pyc", "/__init__.pyc", ".so", ".pyd"],
  node: ["", ".js", ".mjs", ".cjs", ".json", ".ts", ".mts", ".cts", "/index.js", "/index.ts", "/package.json"],
};

/**
 * Returns the paths at which Python or Node may look for each module that the code loads. `cwds`: the folders in which the code may run. `folder`: that of
 * the file in which the code is.
 */
export const placesOfModules = (
  { language, modules, searched }: ProjectCode,
  { cwds, folder }: { cwds: readonly string[]; folder: string | undefined },
): string[][] =>
  cwds.flatMap((cwd) =>
    modules.map((names) =>
      [...searched.map((each) => resolvePath(cwd, each)), folder ?? cwd].flatMap((place) =>
        names.flatMap((name) => ENDINGS[language].map((ending) => path.resolve(place, name + ending))),
      ),
    ),
  );
