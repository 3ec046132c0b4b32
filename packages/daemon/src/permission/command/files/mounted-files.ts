import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { ShellContext } from "../shell/shell-context.ts";
import { commandsInContainer } from "./commands-in-container.ts";
import { absolutePathAccesses } from "./path-accesses.ts";
import { exists, isFolder } from "./path-on-disk.ts";
import { endsOfMountedPath } from "./mounted-path.ts";
import { anyWalks, walksWorkspace } from "./walks-in-container.ts";
import { readers } from "../tables/readers.ts";
import { textOfAll, type Word } from "../words/word.ts";

/** Programs that run a command where a folder of the workspace may be mounted. */
const MAY_MOUNT = /^((docker|podman|nerdctl)(-compose)?|devcontainer|lima|limactl|multipass|toolbox|distrobox)$/;

/** An absolute path in a word, also behind a flag, or in a script, and a path that leads out of a folder. */
const ABSOLUTE = /(?<=^|[\s'"=(<>,@]|\s-\w)(\/+|([\w.-]+\/)*\.\.\/)[\w./@-]+|(?<=:)\/(?!\/)[\w./@-]+/g;
/** Outputs, and flags with which a program that reads writes a file. */
const CHANGES = />|\s-(exec|ok|delete|i|o|-output|-in-?place)/;
/** The most paths of a call that may be those of a mount. */
const MAX_PATHS = 50;

/**
 * Returns the accesses of files of the workspace that the absolute paths in a call of docker may stand for: in a container, `/app/src/a.ts` may be `src/a.ts`.
 * The gate does not know what is mounted where, so only rules that limit these files apply. Without a program that only reads, each may change.
 */
export function mountedFiles(base: string, words: readonly Word[], context: ShellContext): GatedAccess[] {
  const { workspace, gatePath } = context.place;
  if (!MAY_MOUNT.test(base)) return [];
  const text = textOfAll(words);
  const paths = (text.match(ABSOLUTE) ?? []).slice(0, MAX_PATHS);
  const names = [...new Set(paths)].flatMap(endsOfMountedPath).filter((name) => mayBeIn(name, workspace));
  const files = names.flatMap((name) => {
    const gated = gatePath(path.join(workspace, name));
    const all = "refused" in gated || !gated.inside ? [name] : [name, gated.relative]; // a link leads to another name
    return isFolder(path.join(workspace, name)) ? all.flatMap((each) => [each, `${each}/a.file`]) : all;
  });
  const commands = commandsInContainer(words);
  const isReading = !CHANGES.test(text) && commands?.every(([program = ""]) => onlyReads(program)) === true;
  const actions = isReading ? ["read"] : ["read", "edit"];
  const whole = walksWorkspace(commands ?? anyWalks(words), text, workspace)
    ? absolutePathAccesses(workspace, "mentions", context, { suspected: true, keeps: isReading })
    : [];
  return [
    ...readsInMount(words, context),
    ...[...new Set(files)].flatMap((resource) => actions.map((action) => ({ action, resource, suspected: true as const }))),
    ...("doubt" in whole ? [] : whole),
  ];
}

/** Returns the reads of files that relative paths in a call mean if its command runs in a folder that the call mounts: `docker run -v .:/w -w /w x cat .env`. */
function readsInMount(words: readonly Word[], context: ShellContext): GatedAccess[] {
  const named = words.flatMap(({ text }) => text.split(/[\s'"=;&|<>()]+/)).filter((each) => /^[^-/]/.test(each));
  const mounts = words.flatMap(({ text }, i) => {
    const before = words[i - 1]?.text ?? "";
    const value = /^(-v|--volume)$/.test(before) ? text : /^(?:-v|--volume=)(.*:.*)/.exec(text)?.[1];
    const bound = /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1];
    return [...(value === undefined ? [] : [value.split(":")[0] ?? ""]), ...(bound === undefined ? [] : [bound])];
  });
  const files = mounts.flatMap((mount) => context.cwds.flatMap((cwd) => named.map((each) => path.resolve(cwd, mount, each))));
  return files.filter(exists).flatMap((file) => {
    const read = absolutePathAccesses(file, "reads", context);
    return "doubt" in read ? [] : read;
  });
}

/** True for a program that changes files only through flags and outputs. `uniq` and `xxd` write their second argument. */
const onlyReads = (program: string): boolean =>
  (/^(cd|ls|echo|pwd|true|test|find|export|set)$/.test(program) || Object.hasOwn(readers, program)) && !/^(uniq|xxd)$/.test(program);

/** True if the workspace has a file of this name, or the folder with which the name begins. */
const mayBeIn = (name: string, workspace: string): boolean => exists(path.join(workspace, name.split("/")[0] ?? ""));
