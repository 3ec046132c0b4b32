import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { createCommands, type Commands } from "@baton/core/client/command-client";
import { script } from "../../../daemon/test/support/script.ts";
import { openRequests } from "@baton/core/session/state";
import { Opened } from "../../../web/test/support/opened.ts";
import { untilQuiet } from "../../../web/test/support/browser.ts";

const sample = fileURLToPath(new URL("../../../cli/sample", import.meta.url));

const PROMPT = "Customers cannot book the last seats of an event. Find out why and fix it.";

type Size = { width: number; height: number };
const WIDE: Size = { width: 1440, height: 900 };
const NARROW: Size = { width: 360, height: 740 };

/** Pictures of the page with real sessions of the scripted model: an open change, a question, a finished session, and the modes. */
export async function pagePictures(folder: string): Promise<void> {
  await using opened = await Opened.start();
  const commands = createCommands(opened.daemon.connect().api);
  const workspace = await projectIn(opened.daemon.root, commands);
  await otherSessions(opened, commands, workspace);
  const id = await startTour(opened, commands, workspace);
  const shoot = async (name: string, size: Size, colorScheme: "light" | "dark", place = `/session/${id}`): Promise<void> => {
    const page = await opened.page(place, { ...size, prepare: (window) => window.emulateMedia({ colorScheme, reducedMotion: "reduce" }) });
    await ready(page, place);
    await page.screenshot({ path: path.join(folder, name) });
  };
  await shoot("session-1440-light.png", WIDE, "light");
  await shoot("session-1440-dark.png", WIDE, "dark");
  await shoot("narrow-360.png", NARROW, "light");
  await shoot("settings-1440-light.png", WIDE, "light", "/settings/modes");
}

async function ready(page: Page, place: string): Promise<void> {
  if (place.startsWith("/session")) await page.getByRole("region", { name: /^Edit / }).waitFor();
  else await page.getByRole("heading", { name: "Modes" }).first().waitFor();
  await untilQuiet(page);
}

async function projectIn(root: string, commands: Commands): Promise<string> {
  const workspace = path.join(root, "seat-booking");
  cpSync(sample, workspace, { recursive: true, filter: (file) => path.basename(file) !== "tour.json" });
  await commands.trust(workspace, true);
  return workspace;
}

/** Sessions beside the tour: one asks a question, one waits for a command, one has finished. */
async function otherSessions({ daemon }: Opened, commands: Commands, workspace: string): Promise<void> {
  const docs = path.join(daemon.root, "handbook");
  mkdirSync(docs);
  writeFileSync(path.join(docs, "README.md"), "# Handbook\n");
  await commands.trust(docs, true);
  const ask = (question: string, ...answers: string[]) => ({
    tool: "ask_followup_question",
    input: { question, follow_up: answers.map((text) => ({ text })) },
  });
  const start = async (folder: string, prompt: string, mode: string, replies: Parameters<typeof script>[1]) => {
    const id = await commands.start(folder, mode, script(daemon, replies));
    await commands.prompt(id, { text: prompt }, "queue");
  };
  await start(docs, "Explain how refunds work.", "ask", [{ text: "Refunds go through the provider that took the payment." }]);
  await start(docs, "Write a page about group bookings.", "architect", [
    { text: "One question first.", calls: [ask("Who reads the page?", "Customers", "The support team")] },
  ]);
  await start(workspace, "Run the tests and report failures.", "debug", [
    { text: "I run them.", calls: [{ tool: "run_command", input: { command: "npm test" } }] },
  ]);
}

/** Plays the tour up to the change that asks, and returns the id of its session. */
async function startTour({ daemon }: Opened, commands: Commands, workspace: string): Promise<string> {
  const id = await commands.start(workspace, "code", `scripted/${path.join(sample, "tour.json")}`);
  await commands.prompt(id, { text: PROMPT }, "queue");
  const session = daemon.attach(id, "terminal");
  await session.until("the question", ({ state }) => openRequests(state).length > 0);
  await session.answer({ choice: "1" });
  await session.until("the change", ({ events }) => events.filter(({ type }) => type === "request.opened").length > 1);
  return id;
}
