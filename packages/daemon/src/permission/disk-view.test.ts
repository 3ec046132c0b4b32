import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { lstatOf, readFolder, realPathOf, statOf, withDiskView } from "./disk-view.ts";

test("a verdict keeps what it has seen on the disk, and the next one looks again", () => {
  using folder = new Folder();
  const file = folder.at("a");
  const link = folder.at("link");
  const look = () => [
    lstatOf(file)?.isFile(),
    statOf(link)?.isFile(),
    readFolder(folder.path)
      .map(({ name }) => name)
      .toSorted(),
    ((): string => {
      try {
        return realPathOf(link);
      } catch {
        return "nowhere";
      }
    })(),
  ];
  symlinkSync(file, link);
  const empty = [undefined, undefined, ["link"], "nowhere"];
  withDiskView(() => {
    expect(look()).toEqual(empty);
    writeFileSync(file, "");
    expect(look()).toEqual(empty);
    withDiskView(() => expect(look()).toEqual(empty)); // a verdict inside of another one
    expect(look()).toEqual(empty);
  });
  const full = [true, true, ["a", "link"], expect.stringMatching(/\/a$/)];
  expect(look()).toEqual(full);
  expect(() =>
    withDiskView(() => {
      expect(look()).toEqual(full);
      throw new Error("stop");
    }),
  ).toThrow("stop");
  rmSync(file);
  expect(look()).toEqual(empty);
});
