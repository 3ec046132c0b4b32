import { expect, test } from "vitest";
import { sqliteVersion, hasWalResetBug } from "./sqlite-version.ts";

test.for(["3.7.0", "3.44.5", "3.45.1", "3.50.6", "3.51.2"])("SQLite %s loses commits where two connections write", (version) =>
  expect(hasWalResetBug(version)).toBe(true),
);

test.for(["3.6.23", "3.44.6", "3.50.7", "3.51.3", "3.53.4", "4.0.0"])("SQLite %s does not", (version) =>
  expect(hasWalResetBug(version)).toBe(false),
);

test("which SQLite is in the driver is asked of it, and whoever has such a one is told", () => {
  const { sqlite, caution } = sqliteVersion();
  expect(sqlite).toMatch(/^\d+\.\d+\.\d+$/);
  expect(caution === null).toBe(!hasWalResetBug(sqlite));
});
