import { expect, test } from "vitest";
import { sqliteVersion, hasWalResetBug } from "./sqlite-version.ts";

test.for(["3.7.0", "3.44.5", "3.45.1", "3.50.6", "3.51.2"])("SQLite %s loses commits if two connections write", (version) =>
  expect(hasWalResetBug(version)).toBe(true),
);

test.for(["3.6.23", "3.44.6", "3.50.7", "3.51.3", "3.53.4", "4.0.0"])("SQLite %s does not lose commits", (version) =>
  expect(hasWalResetBug(version)).toBe(false),
);

test("the driver reports its version of SQLite, and the user gets a warning about a faulty version", () => {
  const { sqlite, caution } = sqliteVersion();
  expect(sqlite).toMatch(/^\d+\.\d+\.\d+$/);
  expect(caution === null).toBe(!hasWalResetBug(sqlite));
});
