import { splitArguments, SERVER_PROMPT_PREFIX } from "@baton/core/text/slash-command";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import type { Prompt } from "@modelcontextprotocol/client";
import type { ServerConnection } from "../connection/server-connection.ts";
import { cutText, partText } from "./call-result.ts";

/** A prompt of a server as a slash command. `name`: the text after the slash. */
export type ServerPrompt = { name: string; description: string; argumentHint?: string };

const commandOf = (server: string, { name }: Prompt): string => `${SERVER_PROMPT_PREFIX}${server}:${name.replaceAll(/[^\w.-]+/g, "-")}`;

/** The prompts of these servers, by server and name. A server that cannot be reached has none. */
export async function listPrompts(connections: readonly ServerConnection[]): Promise<ServerPrompt[]> {
  const found = await Promise.all(connections.map((connection) => listed(connection).catch(() => [])));
  return found.flatMap((prompts, i) => prompts.map((prompt) => factOf(connections[i]?.definition.name ?? "", prompt)));
}

async function listed(connection: ServerConnection): Promise<Prompt[]> {
  if (!connection.has("prompts")) return [];
  const client = await connection.client();
  return (await client.listPrompts({}, { timeout: connection.definition.timeoutMs })).prompts;
}

function factOf(server: string, prompt: Prompt): ServerPrompt {
  const { description = "", arguments: takes = [] } = prompt;
  const hint = takes.map(({ name, required = false }) => (required ? `<${oneLine(name)}>` : `[${oneLine(name)}]`)).join(" ");
  return { name: commandOf(server, prompt), description: oneLine(description), ...(hint === "" ? {} : { argumentHint: hint }) };
}

/**
 * Gets a server's prompt with the text that the user typed after its name: one word for each argument, and the rest for the last one.
 * Returns a problem if that fails.
 */
export async function serverPromptText(
  command: string,
  typed: string,
  connections: readonly ServerConnection[],
): Promise<{ text: string } | { problem: string }> {
  const connection = connections.find(({ definition: { name } }) => command.startsWith(`${SERVER_PROMPT_PREFIX}${name}:`));
  if (!connection) return { problem: `There is no MCP server for /${command}. \`baton mcp list\` lists the servers and their status.` };
  const { name: server, timeoutMs } = connection.definition;
  try {
    const client = await connection.client();
    const prompts = await listed(connection);
    const prompt = prompts.find((each) => commandOf(server, each) === command);
    if (!prompt)
      return {
        problem: `${server} has no such prompt. Its prompts are: ${prompts.map((each) => `/${commandOf(server, each)}`).join(" ")}.`,
      };
    const promptArguments = filledIn(prompt, typed);
    const missing = (prompt.arguments ?? []).filter(({ name, required }) => required === true && promptArguments[name] === undefined);
    if (missing.length > 0) return { problem: `/${command} needs ${missing.map(({ name }) => name).join(", ")}. Type it after the name.` };
    const { messages } = await client.getPrompt({ name: prompt.name, arguments: promptArguments }, { timeout: timeoutMs });
    const texts = messages.map(({ role, content }) => (role === "user" ? partText(content) : `(as if you had said) ${partText(content)}`));
    return { text: cutText(sanitize(texts.join("\n\n"))) };
  } catch (error) {
    return { problem: `${server} did not return its prompt: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function filledIn({ arguments: takes = [] }: Prompt, typed: string): Record<string, string> {
  const words = splitArguments(typed);
  const last = takes.length - 1;
  return Object.fromEntries(
    takes.flatMap(({ name }, i) => {
      const value = i === last ? words.slice(i).join(" ") : (words[i] ?? "");
      return value === "" ? [] : [[name, value]];
    }),
  );
}
