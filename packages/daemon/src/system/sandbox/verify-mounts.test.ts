import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectedMounts, parseMounts } from "./verify-mounts.ts";

type Line = readonly [id: number, parent: number, device: string, root: string, point: string, type: string];

/** Lines of `mountinfo` with the fields that Baton reads. */
const mountinfo = (lines: readonly Line[]): string =>
  lines
    .map(([id, parent, device, root, point, type]) => `${id} ${parent} ${device} ${root} ${point} rw shared:1 - ${type} source rw`)
    .join("\n");

const DISK: Line = [1, 0, "8:1", "/", "/", "ext4"];

/** The source exists on every Linux, because a missing one makes no mount. */
const cases: [name: string, lines: Line[], expected: string[]][] = [
  ["a folder of the disk", [DISK], ["8:1 /usr/bin /usr/bin"]],
  ["a folder of a subvolume", [DISK, [2, 1, "0:30", "/@usr", "/usr", "btrfs"]], ["0:30 /@usr/bin /usr/bin"]],
  [
    "a folder that another mount hides",
    [DISK, [2, 1, "8:2", "/", "/usr/bin", "ext4"], [3, 1, "8:3", "/", "/usr", "ext4"]],
    ["8:3 /bin /usr/bin"],
  ],
  [
    "a folder with two mounts at one place",
    [DISK, [2, 1, "8:2", "/", "/usr", "ext4"], [3, 2, "8:3", "/x", "/usr", "ext4"]],
    ["8:3 /x/bin /usr/bin"],
  ],
  ["a whole file system in memory", [DISK, [2, 1, "0:9", "/", "/usr/bin", "tmpfs"]], ["tmpfs / /usr/bin"]],
  ["a folder of one", [DISK, [2, 1, "0:9", "/", "/usr", "tmpfs"]], ["0:9 /bin /usr/bin"]],
  ["a folder of a network file system", [DISK, [2, 1, "0:50", "/", "/usr", "nfs4"]], ["0:50 / /usr/bin"]],
  ["a place with a space", [DISK, [2, 1, "8:2", String.raw`/a\040b`, "/usr", "ext4"]], ["8:2 /a b/bin /usr/bin"]],
  [
    "a folder with mounts below it, each followed by those on it",
    [
      DISK,
      [2, 1, "8:2", "/", "/usr/bin/b", "ext4"],
      [3, 1, "8:3", "/", "/usr/bin/a", "ext4"],
      [4, 2, "8:4", "/", "/usr/bin/b/c", "ext4"],
      [5, 1, "8:5", "/", "/usr/binary", "ext4"],
    ],
    ["8:1 /usr/bin /usr/bin", "8:2 / /usr/bin/b", "8:4 / /usr/bin/b/c", "8:3 / /usr/bin/a"],
  ],
  ["a root folder that is its own parent", [[1, 1, "8:1", "/", "/", "ext4"]], ["8:1 /usr/bin /usr/bin"]],
];

test.each(cases)("%s", (_, lines, expected) => {
  const mounts = expectedMounts(["--bind", "/usr/bin", "/usr/bin"], parseMounts(mountinfo(lines)));
  expect(mounts.map(({ device, root, point }) => `${device} ${root} ${point}`)).toEqual(expected);
});

test("each argument makes its own mounts, and an optional one without a source makes none", () => {
  const binds = [
    "--ro-bind",
    "/etc",
    "/here",
    "--tmpfs",
    "/here/x",
    "--bind-try",
    "/no-such-file",
    "/here/y",
    "--ro-bind",
    "/dev/null",
    "/z",
  ];
  expect(expectedMounts(binds, parseMounts(mountinfo([DISK])))).toEqual([
    { device: "8:1", root: "/etc", point: "/here" },
    { device: "tmpfs", root: "/", point: "/here/x" },
    { device: "8:1", root: "/dev/null", point: "/z" },
  ]);
});

test("without a mount of the root folder there is no sandbox", () => {
  const host = parseMounts(mountinfo([[2, 1, "8:2", "/", "/usr", "ext4"]]));
  expect(() => expectedMounts(["--bind", "/usr/bin", "/usr/bin"], host)).toThrow("does not list the root folder");
});

test.runIf(process.platform === "linux")("the mounts of this machine can be read", () => {
  const host = parseMounts(readFileSync("/proc/self/mountinfo", "utf8"));
  expect(expectedMounts(["--bind", "/usr", "/usr"], host)[0]).toMatchObject({ point: "/usr" });
});
