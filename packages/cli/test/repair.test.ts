import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connectTo, findDaemon } from "@baton/daemon/client";
import { emptyTranscript } from "@baton/core/session/transcript/transcript";
import { foldTranscript } from "@baton/core/session/transcript/fold-transcript";
import { expect, test } from "vitest";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { breakPackage, repair } from "./support/broken-package.ts";
import { openHome, type Home } from "./support/home.ts";
import { KEY } from "./support/terminal.ts";

const PROMPT = "minimist takes 0xff for a text. Find out why, mend it and run its tests.";

/** A home whose model is the scripted server, and a workspace with the broken package. */
async function brokenHome(model: ModelServer): Promise<Home> {
  const home = openHome();
  breakPackage(home.workspace);
  const file = path.join(home.env["BATON_HOME"] ?? "", "config.jsonc");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ model: "local/m", providers: { local: { kind: "openai-compatible", baseUrl: model.url } } }));
  await home.run(["trust", "--restrict"]);
  return home;
}

/** The conversation of the home's only session as a client draws it, without parts that differ between runs. */
async function transcriptOf(home: Home): Promise<unknown> {
  const discoveryFile = path.join(home.env["BATON_HOME"] ?? "", "daemon.json");
  const found = await findDaemon(discoveryFile);
  if (!found) throw new Error("the daemon of this home does not run");
  const { api, close } = connectTo(found, { client: "test", discoveryFile });
  const [row] = await api.session.list.query({});
  const { events } = await api.session.open.query({ sessionId: row?.id ?? "", tail: 5_000 });
  await close();
  const transcript = emptyTranscript();
  for (const event of events) foldTranscript(transcript, event);
  const text = JSON.stringify(transcript.entries, (key, value: unknown) => (CHANGING.has(key) ? undefined : value));
  return JSON.parse(text.replaceAll(home.workspace, "WORKSPACE").replaceAll(/\b\d+(\.\d+)? m?s\b/g, "TIME"));
}

const CHANGING = new Set([
  "id",
  "seq",
  "receivedSeq",
  "at",
  "openedAt",
  "startedAt",
  "endedAt",
  "hash",
  "by",
  "answeredBy",
  "answer",
  "blob",
]);

test(
  "a session repairs a published package, headless and in the terminal, and both conversations are equal",
  { timeout: 90_000 },
  async () => {
    await using model = await ModelServer.start({ replies: repair });

    await using headless = await brokenHome(model);
    const ran = await headless.run(["run", "--json", "--on-request", "allow", PROMPT]);
    expect(ran).toMatchObject({ code: 0 });
    const lines = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type?: string; requests?: unknown });
    expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", steps: 5, requests: { opened: 2, answered: 2, denied: 0 } });

    await using home = await brokenHome(model);
    const terminal = home.terminal([]);
    await terminal.until("Say what you want done.");
    terminal.press(PROMPT);
    await terminal.until(PROMPT);
    terminal.press(KEY.enter);
    await terminal.until("Change this file?");
    await terminal.until("your answer 1 2 3 4");
    terminal.press("1");
    await terminal.until("Run this command?");
    await terminal.until("your answer 1 2 3 4");
    terminal.press("1");
    await terminal.until("All tests of the package pass.");
    await terminal.until("# pass  153");

    for (const each of [headless, home]) expect(readFileSync(path.join(each.workspace, "index.js"), "utf8")).toContain("0x[0-9a-f]+");
    expect(await transcriptOf(home)).toEqual(await transcriptOf(headless));
    expect(model.violations).toEqual([]);
  },
);
