import { sessionLines } from "../../render/sessions.ts";
import { hang, roomOf, type Look } from "../../render/layout.ts";
import { findSession } from "../find-session.ts";
import { modelNamed } from "../model-named.ts";
import type { TerminalClient } from "./client.ts";

type Slash = { name: string; about: string; run: (client: TerminalClient, argument: string) => Promise<void> | void };

/** What can be typed after `/`. */
export const slashes: readonly Slash[] = [
  { name: "mode", about: "switch the mode: /mode plan", run: switchMode },
  { name: "model", about: "choose the model: /model provider/model", run: chooseModel },
  { name: "sessions", about: "list the sessions, or open one: /sessions ID", run: sessions },
  { name: "new", about: "begin another session here", run: (client) => client.leaveSession() },
  {
    name: "rename",
    about: "give this session a title: /rename Title",
    run: (client, title) => (title === "" ? client.say("/rename needs a title.") : client.outbox.wish({ type: "rename", title })),
  },
  {
    name: "compact",
    about: "sum up the conversation for the model: /compact what to keep",
    run: (client, note) => client.outbox.wish({ type: "compact", ...(note === "" ? {} : { note }) }),
  },
  { name: "inbox", about: "all that waits for you", run: (client) => client.showInbox() },
  { name: "retry", about: "ask a model that failed again now", run: (client) => client.outbox.wish({ type: "retry" }) },
  { name: "resume", about: "go on with prompts that were held back", run: (client) => client.outbox.wish({ type: "resume" }) },
  { name: "help", about: "keys and commands", run: (client) => client.print(helpLines(client.look(), client.fileCommands)) },
  { name: "quit", about: "leave; the work goes on", run: (client) => client.leave() },
];

/** Does what a line that begins with `/` says; a beginning that fits one command only is enough. */
export async function runSlash(client: TerminalClient, line: string): Promise<void> {
  const [typed = "", ...rest] = line.slice(1).split(" ");
  const fitting = slashes.filter(({ name }) => name.startsWith(typed));
  const found = slashes.find(({ name }) => name === typed) ?? (fitting.length === 1 ? fitting[0] : undefined);
  const all = [...slashes, ...client.fileCommands].map(({ name }) => `/${name}`);
  if (!found) return client.say(`There is no command /${typed}. The commands are: ${all.join(" ")}.`);
  await found.run(client, rest.join(" ").trim());
}

async function switchMode(client: TerminalClient, mode: string): Promise<void> {
  const known = client.modes.map(({ slug }) => slug);
  if (!known.includes(mode))
    return client.say(`${mode === "" ? "Which mode?" : `There is no mode "${mode}".`} The modes are: ${known.join(", ")}.`);
  await client.outbox.switchMode(mode);
}

async function chooseModel(client: TerminalClient, model: string): Promise<void> {
  if (model === "") return client.say(`The model is ${client.outbox.model() ?? "not chosen"}. Choose one as provider/model.`);
  await client.outbox.chooseModel(modelNamed(model));
}

async function sessions(client: TerminalClient, named: string): Promise<void> {
  const { api } = client.link;
  if (named !== "") return client.openSession((await findSession(api, named)).id);
  client.print([...sessionLines(await api.session.list.query({}), client.look()), "", client.look().ink.dim("/sessions ID opens one")]);
}

const KEYS: readonly [string, string][] = [
  ["Enter", "sends; queues while it works"],
  ["Alt+Enter", "steers: comes in after the calls that are open now"],
  ["Shift+Enter, \\ Enter, Ctrl+J", "breaks the line"],
  ["Shift+Tab", "next mode"],
  ["Tab", "next request; completes @ and /"],
  ["1 … 9", "answer the request"],
  ["d  e  n  v", "deny, edit the rule, note, full text (in an approval)"],
  ["Esc", "leaves a request for later; else stops the turn"],
  ["Esc Esc", "goes back to before an earlier prompt, with its files or without"],
  ["Ctrl+R", "searches what you sent before"],
  ["! command", "runs it in your own shell; its output goes along with your next prompt"],
  ["Ctrl+G", "inbox: all that waits for you"],
  ["Ctrl+O", "all of the last call"],
  ["Up, Down", "what you sent before"],
  ["Ctrl+C twice", "leaves; the work goes on"],
];

export function helpLines(look: Look, files: TerminalClient["fileCommands"] = []): string[] {
  const { ink } = look;
  const row = (left: string, right: string) => hang(right, `  ${ink.bold(left)}${" ".repeat(Math.max(1, 31 - left.length))}`, roomOf(look));
  const narrow = (left: string, right: string) => [`  ${ink.bold(left)}`, ...hang(ink.dim(right), "      ", roomOf(look))];
  const draw = look.columns < 72 ? narrow : row;
  return [
    ...KEYS.flatMap(([key, about]) => draw(key, about)),
    "",
    ...[...slashes, ...files].flatMap(({ name, about }) => draw(`/${name}`, about)),
  ];
}
