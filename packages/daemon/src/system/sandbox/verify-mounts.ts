import { existsSync, readFileSync } from "node:fs";
import { isAtOrBelow } from "./visible-folders.ts";
import type { ProgramCommand } from "./sandbox.ts";

/**
 * A program that runs inside the sandbox, compares its mounts with the expected ones, and only then executes `program`. bubblewrap follows
 * links, and a command that already runs could exchange a folder for a link after Baton has looked at it. `binds`: the mount arguments of
 * bubblewrap to check. `next`: the point of the mount that follows them. They are the last ones if it is undefined.
 */
export function afterMountCheck({ file, args }: ProgramCommand, binds: readonly string[], next = ""): ProgramCommand {
  const host = parseMounts(readFileSync("/proc/self/mountinfo", "utf8"));
  const lines = expectedMounts(binds, host).map(({ device, root, point }) => `\n${device} ${escaped(root)} ${escaped(point)}`);
  const parts = inArguments(lines);
  const names = parts.map((_, index) => `\${${index + 1}}`).join("");
  return { file: "/bin/sh", args: ["-c", checkScript(names, parts.length, next), "sh", ...parts, file, ...args] };
}

/** A mount that bubblewrap makes. `root`: the path in the file system. `point`: the path where it appears. */
type Mount = { device: string; root: string; point: string };

/** A mount that this process sees. `type`: the file system. */
type HostMount = Mount & { id: string; parent: string; type: string };

/** The device of a mount of the whole of an in-memory file system, whose number is new each time. */
const IN_MEMORY = "tmpfs";

/** A shell reads each character on its own, so it stops at the mount `next`. */
const checkScript = (expected: string, count: number, next: string): string => `
mounts=
while read -r _ _ device root point rest; do
  [ "$point" = "${next}" ] && break
  case "$root $rest" in "/ "*" - tmpfs "*) device=${IN_MEMORY} ;; esac
  mounts="$mounts
$device $root $point"
done </proc/self/mountinfo
case "$mounts" in
*"${expected}") shift ${count}; exec "$@" ;;
esac
echo "The command did not start, because files of the workspace were moved in the same moment. Run it again." >&2
exit 126`;

/** Longer arguments are refused by Linux. */
const MAX_ARGUMENT = 100_000;

function inArguments(lines: readonly string[]): string[] {
  const parts = [""];
  for (const line of lines) {
    if (Buffer.byteLength(`${parts.at(-1)}${line}`) > MAX_ARGUMENT) parts.push("");
    parts.push(`${parts.pop()}${line}`);
  }
  return parts;
}

/** The mounts that bubblewrap makes for its arguments, in the same order. A folder brings along what is mounted below it. */
export function expectedMounts(binds: readonly string[], host: readonly HostMount[]): Mount[] {
  const made: Mount[] = [];
  for (let at = 0; at < binds.length;) {
    const [option = "", first = "", second = ""] = binds.slice(at, at + 3);
    at += bindArgumentCount(option) + 1;
    if (option === "--tmpfs") made.push({ device: IN_MEMORY, root: "/", point: first });
    else if (existsSync(first)) made.push(...boundMounts(first, second, host)); // otherwise it was optional, or bubblewrap fails
  }
  return made;
}

/** How many arguments follow an option of bubblewrap that makes something at a path. The last one is this path. */
export const bindArgumentCount = (option: string): number => (["--tmpfs", "--dev", "--proc"].includes(option) ? 1 : 2);

function boundMounts(source: string, point: string, host: readonly HostMount[]): Mount[] {
  const holder = mountOf(source, host);
  const rest = source.slice(withoutSlash(holder.point).length);
  const root = holder.type.startsWith("nfs") ? holder.root : joined(holder.root, rest); // NFS names "/" for every folder
  const below = mountsOn(holder, host).filter((each) => isAtOrBelow(each.point, source));
  const all = below.flatMap((each) => withMountsOn(each, host));
  return [shown({ ...holder, root }, point), ...all.map((each) => shown(each, point + each.point.slice(source.length)))];
}

/** The mount that shows a path. A mount hides what was mounted below its point before. */
function mountOf(file: string, host: readonly HostMount[], under = rootMount(host)): HostMount {
  const [first] = mountsOn(under, host)
    .filter(({ point }) => isAtOrBelow(file, point))
    .sort((one, other) => one.point.length - other.point.length);
  return first ? mountOf(file, host, first) : under;
}

function rootMount(host: readonly HostMount[]): HostMount {
  const found = host.find(({ id, point, parent }) => point === "/" && !host.some((each) => each.id === parent && each.id !== id));
  if (!found) throw new Error("/proc/self/mountinfo does not list the root folder");
  return found;
}

const mountsOn = (mount: HostMount, host: readonly HostMount[]): HostMount[] =>
  host.filter(({ id, parent }) => parent === mount.id && id !== mount.id);

const withMountsOn = (mount: HostMount, host: readonly HostMount[]): HostMount[] => [
  mount,
  ...mountsOn(mount, host).flatMap((each) => withMountsOn(each, host)),
];

/** A mount of the host as it appears inside. */
const shown = ({ device, root, type }: HostMount, point: string): Mount => ({
  device: root === "/" && type === "tmpfs" ? IN_MEMORY : device,
  root,
  point,
});

const withoutSlash = (folder: string): string => (folder === "/" ? "" : folder);
const joined = (root: string, rest: string): string => (rest === "" ? root : withoutSlash(root) + rest);

/** Reads the text of `mountinfo` (proc_pid_mountinfo(5)). */
export function parseMounts(text: string): HostMount[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [id = "", parent = "", device = "", root = "", point = ""] = line.split(" ");
      const type = line.split(" - ")[1]?.split(" ")[0] ?? "";
      return { id, parent, device, root: unescaped(root), point: unescaped(point), type };
    });
}

/** Linux writes these characters of a path as octal numbers. */
const escaped = (file: string): string => file.replaceAll(/[ \t\n\\]/g, (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, "0")}`);
const unescaped = (file: string): string =>
  file.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
