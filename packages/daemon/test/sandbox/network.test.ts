import { spawnSync } from "node:child_process";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { internet } from "../support/internet.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const works =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "/bin/true"]).status === 0;

const run = (command: string) => ({ calls: [{ tool: "run_command", input: { command } }] });

const config = {
  sandbox: "on",
  permissions: { command: "allow", network: { "denied.invalid": "deny" } },
  network: { allow: ["listed.invalid", "*.wild.invalid"] },
};

const results = ({ finished }: TestSession) => finished.map(({ result }) => result.text);

test.runIf(works)("rules decide which hosts commands reach, and Baton asks once about each other host", async () => {
  using web = await internet();
  await using daemon = await TestDaemon.start({ config, env: { HTTP_PROXY: web.url, HTTPS_PROXY: web.url } });
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const get = (host: string) => `curl -s -S -m 90 http://${host}/`;
  const session = await daemon.session({
    model: script(daemon, [
      run(`${get("listed.invalid")}; ${get("a.wild.invalid")}; ${get("denied.invalid")}`),
      run(Array.from({ length: 10 }, () => `${get("asked.invalid")} & `).join(" ") + "wait"),
      run(
        `${get("asked.invalid")}; ${get(`127.0.0.1:${web.port}`)} --noproxy ''; curl -s -m 2 --noproxy '*' ${web.url} || echo direct fails`,
      ),
      { text: "ok" },
    ]),
  });
  await session.prompt("go");
  await session.until("a question", ({ state }) => openRequests(state).length > 0);
  const [request, ...more] = openRequests(session.state);
  expect(more).toEqual([]);
  expect(request).toMatchObject({ subject: { network: "asked.invalid" }, kind: "approval" });
  await session.answer({ choice: "session" });
  await session.until("the end", ({ state }) => state.turns > 0 && !state.turn, 30_000);
  const [first = "", second = "", third = ""] = results(session);
  expect(first).toContain("hello from listed.invalid");
  expect(first).toContain("hello from a.wild.invalid");
  expect(first).toMatch(/denied\.invalid is not allowed.*network "denied\.invalid" \(user, config\.jsonc/);
  expect(second.match(/hello from asked\.invalid/g)).toHaveLength(10);
  expect(third).toContain("hello from asked.invalid");
  expect(third).toMatch(/127\.0\.0\.1 is not an address of the public internet|127.0.0.1:\d+ is not allowed/);
  expect(third).toContain("direct fails");
});

test.runIf(works)("Baton asks once about a denied host, and closes a killed daemon's request without an answer", async () => {
  using web = await internet();
  await using daemon = await TestDaemon.start({ config, env: { HTTP_PROXY: web.url, HTTPS_PROXY: web.url } });
  const get = "curl -s -S -m 90 -p http://asked.invalid/";
  const session = await daemon.session({
    model: script(daemon, [run(`${get} || ${get} || ${get}`), run(`${get} || true`), { text: "ok" }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "deny" });
  await session.until("a second question", ({ state }) => state.counts.opened === 2);
  expect(results(session)[0]).toContain("Baton refused connections to asked.invalid: The user denied it.");
  const [request] = openRequests(session.state);
  await daemon.kill();
  await daemon.start();
  const other = daemon.attach(session.id, "page");
  await other.until("the question to be closed", ({ state }) =>
    state.closed.some(({ id, reason }) => id === request?.id && reason === "expired"),
  );
  const { commandId, requestId } = { commandId: crypto.randomUUID(), requestId: request?.id ?? "" };
  await expect(other.api.request.answer.mutate({ commandId, requestId, answer: { choice: "workspace" } })).rejects.toThrow(
    /closed|answered|expired/,
  );
  await other.untilEnd();
  expect(openRequests(other.state)).toEqual([]);
  expect(results(other)[1]).toContain("Outcome unknown");
});

test.runIf(works)("a hook in the sandbox reaches the hosts that the rules of its session allow, and Baton asks about others", async () => {
  using web = await internet();
  const hosts = ["listed.invalid", "denied.invalid", "asked.invalid"];
  const command = `cat > /dev/null; for host in ${hosts.join(" ")}; do curl -s -m 90 "http://$host/"; done; curl -s -m 2 --noproxy '*' ${web.url}; true`;
  const hook = (event: string) => ({ [event]: [{ hooks: [{ type: "command", command, timeout: 120 }] }] });
  await using daemon = await TestDaemon.start({
    config: { ...config, hooks: { ...hook("UserPromptSubmit"), ...hook("SessionStart") } },
    env: { HTTP_PROXY: web.url, HTTPS_PROXY: web.url },
  });
  const session = await daemon.session({ model: script(daemon, [{ text: "ok" }]) });
  await session.prompt("go");
  const questions: string[] = [];
  while (session.state.turns === 0 || session.state.turn) {
    await session.until("a question or the end", ({ state }) => openRequests(state).length > 0 || (state.turns > 0 && !state.turn), 60_000);
    const [request] = openRequests(session.state);
    if (!request) break;
    questions.push("network" in request.subject ? request.subject.network : (Object.keys(request.subject)[0] ?? ""));
    await session.answer({ choice: "hooks" in request.subject ? "workspace" : "session" });
  }
  expect(questions).toEqual(["hooks", "asked.invalid"]);
  const outcomes = session.events.flatMap((event) => (event.type === "hook.finished" ? [JSON.stringify(event.outcome)] : []));
  expect(outcomes).toHaveLength(2);
  for (const outcome of outcomes) {
    expect(outcome).toContain("hello from listed.invalid");
    expect(outcome).toContain("hello from asked.invalid");
    expect(outcome).not.toContain("hello from denied.invalid");
    expect(outcome).not.toContain("hello from 127.0.0.1");
  }
});
