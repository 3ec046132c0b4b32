import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const BOOTSTRAP = fileURLToPath(new URL("../bootstrap", import.meta.url));
const NAME = `@pnpm/exe.${process.platform}-${process.arch}`;

/** A checkout whose pnpm is a small program, in a separate registry that a test can make unreachable. */
async function openCheckout() {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-tools-"));
  const build = path.join(folder, "package");
  mkdirSync(build);
  writeFileSync(
    path.join(build, "package.json"),
    JSON.stringify({ name: NAME, version: "1.0.0", os: [process.platform], cpu: [process.arch] }),
  );
  writeFileSync(path.join(build, "pnpm"), "#!/bin/sh\necho pnpm runs\n", { mode: 0o755 });
  spawnSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
  const tarball = readFileSync(path.join(folder, "package.tgz"));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;

  let isReachable = false;
  const server = createServer(({ url = "" }, response) => {
    if (!isReachable) return void response.socket?.destroy();
    if (url.endsWith(".tgz")) return void response.end(tarball);
    const dist = { tarball: `${at()}/package.tgz`, integrity };
    response.end(
      JSON.stringify({ name: NAME, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { name: NAME, version: "1.0.0", dist } } }),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const root = path.join(folder, "checkout");
  const pnpm = path.join(root, "tools", "pnpm");
  cpSync(BOOTSTRAP, path.join(root, "tools", "bootstrap"), { recursive: true });
  mkdirSync(pnpm);
  const needs = { optionalDependencies: { [NAME]: "1.0.0" } };
  const locked = { version: "1.0.0", resolved: `${at()}/package.tgz`, integrity, optional: true };
  writeFileSync(path.join(pnpm, "package.json"), JSON.stringify({ private: true, ...needs }));
  writeFileSync(
    path.join(pnpm, "package-lock.json"),
    JSON.stringify({ name: "pnpm", lockfileVersion: 3, requires: true, packages: { "": needs, [`node_modules/${NAME}`]: locked } }),
  );
  writeFileSync(path.join(root, "tools", "use.mjs"), 'import { pnpm } from "./bootstrap/toolchain.mjs";\nprocess.exit(pnpm([]).status);\n');
  return {
    stamp: path.join(pnpm, "node_modules", ".bootstrap"),
    reach: (now: boolean) => void (isReachable = now),
    start: async () => {
      const env = { PATH: process.env["PATH"], HOME: folder, npm_config_registry: at(), npm_config_cache: path.join(folder, "cache") };
      const child = spawn(process.execPath, [path.join(root, "tools", "use.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
      const ended = new Promise<number | null>((done) => child.on("close", done));
      const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { out, err, code };
    },
    [Symbol.dispose]: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test("a start without network reports the reason once, and the next start with it works", { timeout: 180_000 }, async () => {
  using checkout = await openCheckout();
  const first = await checkout.start();
  expect(first.code).toBe(1);
  expect(first.err).toMatch(new RegExp(`${NAME}@1\\.0\\.0 could not be installed\\. npm says: .*(ECONN|socket|network)`));
  expect(existsSync(checkout.stamp)).toBe(false);
  checkout.reach(true);
  expect(await checkout.start()).toMatchObject({ code: 0, out: "pnpm runs\n" });
  checkout.reach(false);
  expect(await checkout.start()).toMatchObject({ code: 0, out: "pnpm runs\n", err: "" });
});

test("an installation that an earlier start left incomplete is fetched again", { timeout: 180_000 }, async () => {
  using checkout = await openCheckout();
  checkout.reach(true);
  expect(await checkout.start()).toMatchObject({ code: 0 });
  rmSync(path.join(path.dirname(checkout.stamp), "@pnpm"), { recursive: true });
  expect(await checkout.start()).toMatchObject({ code: 0, out: "pnpm runs\n" });
});

test("a release does not take an option for a folder, and says so before it builds", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${BOOTSTRAP}.mjs`, "release", "--help"], {
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining("--help is not an option.")]);
});
