import { exists } from "./path-on-disk.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { changedFolders } from "./development-tools.ts";
import { ownManifests } from "./own-manifests.ts";
import type { NamedPath } from "../programs/program-types.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { resolvePath } from "./physical-path.ts";

/** Programs that search the whole working directory if no argument names another folder. Their first argument is the search text. */
const SEARCHING = wordSet("ag ack ack-grep pt rga ugrep ug sift ucg ripgrep-all git-grep semgrep rgrep pcre2grep pdfgrep");
const SKIPS_HIDDEN = /^(ag|pt|rga|ripgrep-all|ucg|git-grep)$/;
/** Programs that read, serve or pack the whole working directory. */
const READING =
  wordSet(`repomix code2prompt files-to-prompt gitingest yek gitleaks trufflehog cloc tokei scc ctags universal-ctags gtags etags
  cscope ast-grep sg comby csearch hgrep vgrep pss ambs jscpd codespell typos`);
/** Programs that serve the whole working directory to anyone who asks. */
const SERVING = wordSet("serve http-server live-server http.server caddy miniserve dufs sfz simple-http-server browser-sync");
/** Programs that write files whose names come from their input. */
const UNPACKING = wordSet(`uudecode 7z 7za 7zr unar cpio shar ar unrar cabextract lha unace jar aunpack atool dtrx ouch rpm2cpio`);

/** Calls of them that only list an archive. */
const LISTS = /^(7z[ar]? [lt]|(jar|ar) -?tv?f?|ar [tp]v?)$/;

/** Flags behind which a word is a path. */
const NO_VALUE = /=|^(-[ilnwcrRHhoLsvqQuUaSpxb\d]+|--(hidden|follow|files-with-matches|ignore-case|recursive|all|line-number)?)$/;

/** Returns the working directory, if a program reads or fills it without an argument that names it. */
export function implicitWorkingFolder(name: string, words: readonly Word[], { cwds, place }: ShellContext): NamedPath[] {
  const hasValue = ({ text }: Word) => text.startsWith("-") && !(SEARCHING.has(name) ? NO_VALUE : /=/).test(text);
  const operands = words.filter(({ kind, text }, i) => kind !== "open" && !text.startsWith("-") && !words.slice(i - 1, i).some(hasValue));
  const isOnDisk = ({ text }: Pick<Word, "text">) => cwds.some((cwd) => exists(resolvePath(cwd, text)));
  const paths = () => operands.slice(SEARCHING.has(name) ? 1 : 0).filter(isOnDisk);
  const here = literal(".");
  const tools = ownManifests(name, words, { cwds, place }) ?? changedFolders(name, words, place.workspace, isOnDisk);
  const changed = [...tools, ...unnamedFiles(name, words)];
  if (SEARCHING.has(name)) {
    const follows = words.some(({ text }) => /^-\w*[fRSL]|^--(follow|deref)/.test(text));
    const isPlain = !follows && SKIPS_HIDDEN.test(name) && !words.some(({ text }) => /^-\w*[uUt.]|^--(hidden|unres|all|no-ig)/.test(text));
    const use = isPlain ? "reads" : "searches";
    return [...changed, ...(paths().length > 0 ? paths() : [here]).map((word): NamedPath => ({ word, use, search: { follows } }))];
  }
  if (SERVING.has(name)) return [{ word: paths()[0] ?? here, use: "searches" }];
  if (
    (UNPACKING.has(name) && !LISTS.test(`${name} ${words[0]?.text}`)) ||
    (/^(tar|zip)file$/.test(name) && words.some(({ text }) => /^-\w*e|^--e/.test(text)))
  )
    return [{ word: here, use: "edits", search: { fills: true } }];
  if (/^(terraform|tofu|terragrunt)$/.test(name) && words[0]?.text === "fmt" && words.some(({ text }) => /^--?diff$/.test(text)))
    return [{ word: here, use: "reads" }, ...changed]; // it prints parts of the files
  if (changed.length > 0) return changed;
  const isPacking = PACKS.test(`${name} ${textOfAll(words)}`) && !words.some(({ text }) => text === "--dry-run");
  return isPacking || (READING.has(name) && paths().length === 0) ? [{ word: here, use: "reads" }] : [];
}

/** A call that packs the files of a package. */
const PACKS = /^(npm|pnpm|yarn)( -\S+)* pack( |$)/;

/** A call of npm that makes a workspace. */
const IN_WORKSPACE = /^(?=.* (-w|--workspace))( -\S+( (?!(init|create|innit)( |$))[^-\s]\S*)?)* (init|create|innit)( |$)/;

/** Returns files behind flags that do not name them: the manifest of a new workspace of npm, and `.env` of deno. */
const unnamedFiles = (name: string, words: readonly Word[]): NamedPath[] =>
  words.flatMap(({ text }) => {
    const isNew = name === "npm" && !/^-[^w-]/.test(text) && IN_WORKSPACE.test(` ${textOfAll(words)}`);
    const file = isNew ? `${text.replace(/^(-w|--workspace)=?/, "")}/package.json` : ".env";
    return isNew || /^deno --env(-file)?=?$/.test(`${name} ${text}`)
      ? [{ word: literal(file), use: "mentions", search: { suspected: isNew } }]
      : [];
  });
