import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { record } from "../harness/record.ts";
import { CrashingGit, type Moment } from "../support/git/crashing-git.ts";
import { bundleCrashing } from "../support/fault/crashing-bundle.ts";
import { bundle, TestDaemon } from "../support/daemon.ts";
import { git, makeRepository } from "../support/git/repository.ts";

/** The steps in the life of a place, in order. Each starts where the previous one ended. */
const steps = ["create", "remove", "restore", "applyChanges"] as const;
type Step = (typeof steps)[number];

const MOMENTS: readonly Moment[] = ["before", "after", "during"];

/** The number of crashes to test in each step. The nightly run tests all of them. */
const every = Number(process.env["BATON_PLACE_STRIDE"] ?? 11);

const CONTENT = { "a.txt": "changed\n", "untracked/new.txt": "new\n", "key.secret": "ignored\n" };

async function world() {
  const fake = new CrashingGit();
  const daemon = await TestDaemon.start({ env: fake.env });
  makeRepository(daemon.workspace, { ".gitignore": "*.secret\n", "a.txt": "one\n", "b.txt": "b\n" });
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const end = async () => {
    await daemon[Symbol.asyncDispose]();
    fake[Symbol.dispose]();
  };
  return { fake, daemon, [Symbol.asyncDispose]: end };
}

type World = Awaited<ReturnType<typeof world>>;

const run = (step: Step, { daemon }: World, { api } = daemon.connect()): Promise<unknown> =>
  step === "create" ? api.place.create.mutate({ cwd: daemon.workspace, name: "p" }) : api.place[step].mutate({ place: "p" });

/** An agent's work in the place: changed, untracked and ignored files. */
function work(root: string): void {
  for (const [name, text] of Object.entries(CONTENT)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
}

/** Prepares a world up to the start of a step. */
async function upTo(step: Step, made: World): Promise<void> {
  for (const each of steps.slice(0, steps.indexOf(step))) {
    await run(each, made);
    if (each === "create") work(rootOf(made.daemon));
  }
}

const rootOf = (daemon: TestDaemon): string => {
  const folder = `${daemon.home}-places`;
  const [repository = ""] = readdirSync(folder);
  return path.join(folder, repository, "p");
};

const contentIn = (root: string) =>
  Object.fromEntries(
    Object.keys(CONTENT).map((name) => [name, existsSync(path.join(root, name)) ? readFileSync(path.join(root, name), "utf8") : null]),
  );

/** Checks after the crash: one outcome of the step is reported, nothing is lost, and the life continues to its end. */
async function checkAfter(step: Step, made: World, answer: Promise<unknown>): Promise<void> {
  const { daemon, fake } = made;
  fake.arm();
  await daemon.start();
  await answer;
  const { api } = daemon.connect();
  const place = async () => (await api.place.list.query({}))[0];
  await expect.poll(async () => (await place())?.status, { timeout: 15_000 }).toMatch(/^(ready|removed|failed|interrupted)$|^undefined$/);
  await expect
    .poll(
      async () => {
        const now = await place();
        return !now?.step || now.status === "interrupted";
      },
      { timeout: 15_000 },
    )
    .toBe(true);
  const found = await place();
  const isInterrupted = found?.status === "interrupted";
  expect(isInterrupted ? found.message : "the daemon stopped").toMatch(/daemon stopped/);
  let now = isInterrupted ? await api.place.repair.mutate({ place: "p" }) : found;
  expect(git(daemon.workspace, "worktree", "list").split("\n").length).toBeLessThanOrEqual(2);
  const isMissing = !now || now.status === "failed";
  expect([step, isMissing]).not.toEqual([step === "create" ? "another step" : step, true]); // only a creation may have made nothing
  if (!now || isMissing) return;
  if (now.status === "removed") now = await api.place.restore.mutate({ place: "p" });
  expect(now.status).toBe("ready");
  if (step === "create") work(now.root);
  expect(contentIn(now.root)).toEqual(CONTENT);
  const source = contentIn(daemon.workspace);
  expect([
    [null, "one\n"],
    ["new\n", "changed\n"],
  ]).toContainEqual([source["untracked/new.txt"], source["a.txt"]]);
  await api.place.remove.mutate({ place: "p" });
  expect(existsSync(now.root)).toBe(false);
  await api.place.restore.mutate({ place: "p" });
  expect(contentIn(now.root)).toEqual(CONTENT);
}

for (const step of steps)
  test(`a daemon killed at any git call of ${step} reports one outcome, and nothing is lost`, { timeout: 600_000 }, async () => {
    await using counting = await world();
    await upTo(step, counting);
    counting.fake.arm();
    await run(step, counting);
    const { calls } = counting.fake;
    expect(calls).toBeGreaterThan(0);
    let tried = 0;
    for (let call = 1; call <= calls; call++) {
      const moment = MOMENTS[(call + steps.indexOf(step)) % MOMENTS.length] ?? "after";
      if (every > 1 && call % every !== steps.indexOf(step) % every) continue;
      await using made = await world();
      await upTo(step, made);
      made.fake.arm(moment, call);
      const answer = run(step, made).catch(() => undefined); // the client sends the command again to the next daemon
      await made.daemon.ended();
      await checkAfter(step, made, answer).catch((error: unknown) => {
        throw new Error(`${step}, killed ${moment} call ${call} of ${calls}`, { cause: error });
      });
      tried++;
    }
    record({ row: "P1", tried, lost: 0 });
  });

test(
  "a daemon killed between the intent and the files of an application reports which files were applied",
  { timeout: 60_000 },
  async () => {
    await using made = await world();
    const { daemon } = made;
    await upTo("applyChanges", made);
    await daemon.kill();
    await daemon.start({ program: await bundleCrashing(), env: { BATON_TEST_CRASH: "after 1" } });
    const answer = run("applyChanges", made).catch(() => undefined);
    await daemon.ended();
    await daemon.start({ program: bundle, env: {} });
    const { api } = daemon.connect();
    const place = async () => (await api.place.list.query({}))[0];
    await expect.poll(async () => (await place())?.message).toBe("The daemon stopped meanwhile: 0 of 2 files were applied.");
    await answer; // the client sends the command again
    expect(readFileSync(path.join(daemon.workspace, "a.txt"), "utf8")).toBe("changed\n");
    await api.place.revertChanges.mutate({ place: "p" });
    expect(readFileSync(path.join(daemon.workspace, "a.txt"), "utf8")).toBe("one\n");
  },
);
