import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { oneLine } from "@baton/core/text/sanitize";
import { formatAge, joinWithOr } from "@baton/core/text/format";
import { findSession } from "../../connection/find-by-id.ts";
import { resolveScriptedModel } from "../../connection/resolve-scripted-model.ts";
import { availableModels } from "../../commands/model/available-models.ts";
import { snippetText } from "../../render/lists/search.ts";
import { modelFacts } from "../../render/model-facts.ts";
import type { TerminalClient } from "../terminal-client.ts";
import type { PickerItem } from "../picker.ts";

/** Runs work of a key or a command, and prints its error. */
export const inBackground = (client: TerminalClient, work: Promise<unknown>): void =>
  runDetached(work, (error) => client.notify(errorMessage(error)));

/** `/mode`: switches to a mode, or lets the user pick one. */
export async function pickOrSwitchMode(client: TerminalClient, mode: string): Promise<void> {
  const { modes } = client.here;
  if (mode === "") {
    const items = modes.map(({ slug, name, description }) => ({ label: slug, detail: oneLine(description || name), value: slug }));
    return client.pick({
      title: "Switch to which mode?",
      items,
      onPick: (slug) => inBackground(client, client.commandQueue.switchMode(slug)),
    });
  }
  const known = modes.map(({ slug }) => slug);
  const fitting = known.includes(mode) ? [mode] : known.filter((slug) => slug.startsWith(mode.toLowerCase()));
  const [only, ...others] = fitting;
  if (only === undefined) return client.notify(`There is no mode "${mode}". The modes are: ${known.join(", ")}.`);
  if (others.length > 0) return client.notify(`"${mode}" is the start of ${joinWithOr(fitting)}. Type more of it.`);
  await client.commandQueue.switchMode(only);
}

/** `/model`: chooses a model, or lets the user pick one, for this session or as the default. */
export async function chooseModel(client: TerminalClient, model: string): Promise<void> {
  if (model === "") return pickModel(client);
  await client.commandQueue.chooseModel(resolveScriptedModel(model));
}

/** Lets the user pick a model. `asDefault`: it becomes the default model, as no other one is configured. */
export async function pickModel(client: TerminalClient, { asDefault = false } = {}): Promise<void> {
  const { api } = client.link;
  const current = client.commandQueue.model();
  const models = await availableModels(api);
  if (models.length === 0)
    return client.notify("No model is available. `baton auth login anthropic` adds a key; Baton also finds local model servers.");
  const items = models.map((each) => {
    const marks = [each.id === current ? "current" : "", each.id === client.here.usualModel ? "default" : ""];
    return { label: each.id, detail: [modelFacts(each), ...marks].filter((part) => part !== "").join(" · "), value: each.id };
  });
  const makeDefault = async (id: string) => {
    await api.config.set.mutate({ setting: ["model"], value: id });
    await client.commandQueue.chooseModel(id);
    client.notify(`${id} is now the default model. /model changes it.`);
    await client.here.learn();
  };
  const onDefault = (id: string) => inBackground(client, makeDefault(id));
  if (asDefault) return client.pick({ title: "Which model should new sessions use?", items, onPick: onDefault });
  client.pick({
    title: "Use which model?",
    items,
    onPick: (id) => inBackground(client, client.commandQueue.chooseModel(id)),
    alternative: { label: "also makes it the default", onPick: onDefault },
  });
}

/** `/sessions`: opens a session, or lets the user pick one. */
export async function openSession(client: TerminalClient, reference: string): Promise<void> {
  const { api } = client.link;
  if (reference !== "") return client.openSession((await findSession(api, reference)).id);
  const items = sessionItems(client, await api.session.list.query({}));
  if (items.length === 0) return client.notify("There is no other session.");
  client.pick({ title: "Open which session?", items, onPick: (id) => inBackground(client, client.openSession(id)) });
}

/** `/search`: finds sessions by their texts and lets the user pick one to open. */
export async function searchSessions(client: TerminalClient, query: string): Promise<void> {
  if (query === "") return client.notify("/search needs some words, such as /search rounding cart.");
  const { matches, unindexed } = await client.link.api.session.search.query({ query, limit: MAX_MATCHES });
  if (matches.length === 0)
    return client.notify(
      `Nothing matches “${oneLine(query)}”.${unindexed === 0 ? "" : " Baton is still indexing; try again in a moment."}`,
    );
  const now = Date.now();
  const items = matches.map(({ sessionId, title, kind, at, snippet }) => ({
    label: oneLine(title) || sessionId,
    detail: `${kind}, ${formatAge(now - at)} ago: ${oneLine(snippetText(snippet))}`,
    value: sessionId,
  }));
  client.pick({ title: "Open which session?", items, onPick: (id) => inBackground(client, client.openSession(id)) });
}

const MAX_MATCHES = 50;

type Listed = { id: string; parentId: string | null; workspace: string; title: string; status: string; updatedAt: number };

/** Sessions that need the user first, then those of this folder, each group newest first. */
function sessionItems(client: TerminalClient, rows: readonly Listed[]): PickerItem<string>[] {
  const now = Date.now();
  const others = rows.filter(({ id, parentId }) => parentId === null && id !== client.view()?.id);
  const waiting = new Set(rows.filter(({ status }) => status === "waiting").map(({ id }) => id.split(".", 1)[0]));
  const needsUser = ({ id }: Listed): number => (waiting.has(id) ? 0 : 1);
  const isHere = ({ workspace }: Listed): number => (workspace === client.workspace ? 0 : 1);
  return others
    .toSorted((a, b) => needsUser(a) - needsUser(b) || isHere(a) - isHere(b) || b.updatedAt - a.updatedAt)
    .map(({ id, title, status, workspace, updatedAt }) => ({
      label: oneLine(title) || "(no prompt yet)",
      detail: [
        `${formatAge(now - updatedAt)} ago`,
        ...(waiting.has(id) ? ["◆ needs you"] : status === "idle" ? [] : [STATUS[status] ?? status]),
        ...(workspace === client.workspace ? [] : [workspace]),
        id,
      ].join(" · "),
      value: id,
    }));
}

const STATUS: Readonly<Record<string, string>> = { working: "working", failed: "failed" };
