import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { rotateLog } from "./rotate-log.ts";

test("a large log is moved aside and replaces the previous one, and a small or missing log stays", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-log-"));
  const file = path.join(folder, "daemon.log");
  try {
    rotateLog(file, 10);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, "small");
    rotateLog(file, 10);
    expect(readdirSync(folder)).toEqual(["daemon.log"]);
    for (const text of ["first large log", "second large log"]) {
      writeFileSync(file, text);
      rotateLog(file, 10);
    }
    expect(readdirSync(folder)).toEqual(["daemon.log.1"]);
    expect(readFileSync(`${file}.1`, "utf8")).toBe("second large log");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
