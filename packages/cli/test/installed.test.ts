import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call } from "./support/home.ts";
import { filesBelow, openMachine, packTarball } from "./support/installed.ts";

const NEWER = "0.1.1";
const BROKEN = "0.1.2";

test("an installed Baton works without a checkout, updates while an approval is open, rolls back, and leaves no files behind", async () => {
  await using machine = openMachine();
  const { baton, workspace } = machine;
  const installed = await machine.install(packTarball(machine.folder));
  expect(installed).toMatchObject({ code: 0 });
  const version = (await baton("--version")).out.trim();

  // The package contains the daemon, its page and its own search program.
  const model = machine.script({ calls: [call("run_command", { command: "echo ran >> runs.txt" })] }, { text: "Done." });
  await baton("trust", "--restrict");
  const waiting = await baton("run", "go", "--model", model, "--on-request", "fail", "--json");
  expect(waiting.code).toBe(3);
  const { url } = JSON.parse((await baton("web", "--no-open", "--json")).out) as { url: string };
  const { origin } = new URL(url);
  const page = await (await fetch(origin)).text();
  expect(page).toContain("<title>Baton</title>");
  const script = /src="\.(\/assets\/page-[^"]+\.js)"/.exec(page)?.[1] ?? "";
  const scripts = await Promise.all(
    ["gzip", "identity"].map((encoding) => fetch(origin + script, { headers: { "accept-encoding": encoding } })),
  );
  expect(scripts.map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null]);
  const [packed, plain] = await Promise.all(scripts.map((response) => response.text()));
  expect(packed?.length).toBeGreaterThan(100_000);
  expect(plain).toBe(packed);
  const hasRipgrep = spawnSync("rg", ["--version"]).error === undefined;
  expect((await baton("doctor")).out).toMatch(hasRipgrep ? /✓ rg +ripgrep \d/ : /– rg +not in PATH; the daemon uses its own/);

  // A version that does not start is replaced by the old one, and the request is open again.
  const broken = packTarball(machine.folder, BROKEN, (folder) =>
    writeFileSync(path.join(folder, "daemon", "dist", "main.js"), 'process.stdout.write(JSON.stringify({ ready: false, why: "broken" }));'),
  );
  const refused = await baton("update", broken);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.err).toContain(`Version ${BROKEN} does not start here, so version ${version} is back.`);
  expect((await baton("inbox")).out).toContain("echo ran >> runs.txt");

  // If the file does not exist, nothing changes.
  const missing = await baton("update", path.join(machine.folder, "missing.tgz"));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("There is no file") as string });
  expect((await baton("--version")).out.trim()).toBe(version);

  const updated = await baton("update", packTarball(machine.folder, NEWER), "--json");
  expect(JSON.parse(updated.out)).toMatchObject({ updated: true, from: version, to: NEWER });
  expect((await baton("--version")).out.trim()).toBe(NEWER);
  expect(JSON.parse((await baton("daemon", "status", "--json")).out)).toMatchObject({ version: NEWER });
  const [open] = JSON.parse((await baton("inbox", "--json")).out) as { id: string }[];
  expect((await baton("answer", open?.id ?? "", "1")).code).toBe(0);
  const runs = () => (existsSync(path.join(workspace, "runs.txt")) ? readFileSync(path.join(workspace, "runs.txt"), "utf8") : "");
  await expect.poll(runs).toBe("ran\n");

  expect(JSON.parse((await baton("update", "--rollback", "--json")).out)).toMatchObject({ rolledBack: true, version });
  expect((await baton("--version")).out.trim()).toBe(version);
  expect((await baton("sessions")).out).toContain("go");
  expect(runs()).toBe("ran\n");

  const state = path.join(machine.home, ".local", "state", "baton");
  await baton("uninstall", "--yes", "--keep-sessions");
  expect(filesBelow(state)).toContain("baton.db");
  expect(existsSync(path.join(machine.prefix, "bin", "baton"))).toBe(false);

  await machine.install(packTarball(machine.folder));
  expect((await baton("sessions")).out).toContain("go");
  await baton("uninstall", "--yes");
  expect(filesBelow(machine.home).filter((file) => file.includes("baton"))).toEqual([]);
  expect(filesBelow(machine.prefix).filter((file) => file.includes("baton"))).toEqual([]);
}, 120_000);

test("an installed Baton gives commands a terminal, and says so where the library for terminals is missing", async () => {
  await using machine = openMachine();
  const { baton } = machine;
  await machine.install(packTarball(machine.folder));
  const model = machine.script({ calls: [call("run_command", { command: "tty && stty size", terminal: true })] }, { text: "Done." });
  const resultOf = async (): Promise<string> => (await baton("run", "go", "--model", model, "--on-request", "allow", "--json")).out;
  expect(await resultOf()).toContain("30 100");
  await baton("daemon", "stop");
  rmSync(path.join(machine.package, "node_modules", "@lydell"), { recursive: true });
  expect(await resultOf()).toContain("Commands cannot have a terminal here, because the library for terminals does not load");
  expect((await baton("doctor")).out).toContain("Commands cannot have a terminal here");
  expect((await baton("uninstall", "--yes")).code).toBe(0);
}, 120_000);

test("an incomplete package reports that it is incomplete", async () => {
  await using machine = openMachine();
  await machine.install(packTarball(machine.folder));
  rmSync(path.join(machine.package, "cli", "dist", "main.js"));
  const { code, err } = await machine.baton("--version");
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("The installation is incomplete.") as string });
}, 60_000);
