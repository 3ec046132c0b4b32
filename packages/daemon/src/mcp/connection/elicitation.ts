import { escapeInvisible } from "@baton/core/text/sanitize";
import { formFields } from "@baton/core/session/form-fields";
import type { RequestAnswer } from "@baton/core/protocol/request";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { ElicitationQuestion } from "../../tool/tool-types.ts";

const MAX_TEXT = 4_000;

/** Asks the user a question of a server. */
export type Elicit = (params: ElicitRequest["params"]) => Promise<ElicitResult>;

/** Converts a server's question to a request: a form, or an address to open. The request names the server. */
export function elicitationQuestion(server: string, params: ElicitRequest["params"]): ElicitationQuestion {
  const text = escapeInvisible(params.message).slice(0, MAX_TEXT);
  if (params.mode === "url") {
    const { url } = params;
    return {
      server,
      kind: "question",
      header: `${server} asks you to open ${hostOf(url)}`,
      text: `The MCP server ${server} says: ${text}`,
      view: { type: "link", url, label: url },
      choices: [
        { id: "accept", label: "I have opened it", description: `Opens ${hostOf(url)}. Open it only if you know why.` },
        ...declining,
      ],
      freeText: false,
    };
  }
  return {
    server,
    kind: "form",
    header: `${server} asks for something`,
    text: `The MCP server ${server} asks: ${text}`,
    choices: [{ id: "accept", label: "Send", description: `Your input goes to ${server}. Never send a password or a key.` }, ...declining],
    freeText: true,
    view: { type: "text", format: "plain", text: fieldsText(params.requestedSchema) },
    fields: { ...params.requestedSchema },
  };
}

/** The fields with their types, and an example of a line that fills them in. */
function fieldsText(schema: Readonly<Record<string, unknown>>): string {
  const fields = formFields(schema);
  const lines = fields.map(({ name, title, description, type, choices, required, initially }) =>
    [
      title === name ? name : `${name} (${title})`,
      choices ? `${type === "list" ? "some" : "one"} of: ${choices.join(", ")}` : type,
      ...(required ? ["needed"] : []),
      ...(initially === "" ? [] : [`default ${initially}`]),
      ...(description === "" ? [] : [description]),
    ].join(" · "),
  );
  const example = fields.length === 1 ? "its value" : `${fields[0]?.name ?? "name"}: …; ${fields[1]?.name ?? "name"}: …`;
  return escapeInvisible([...lines, `In one line: ${example}`].join("\n"));
}

const declining = [
  { id: "decline", label: "Decline", description: "The server gets a no, and the call continues." },
  { id: "cancel", label: "Not now", description: "Tells the server that nobody answered." },
];

/** The user's answer in the form of the protocol. */
export function elicitationResult({ choice, fields = {} }: RequestAnswer): ElicitResult {
  if (choice === "accept") return { action: "accept", content: fields as NonNullable<ElicitResult["content"]> }; // already checked against the schema
  return { action: choice === "decline" ? "decline" : "cancel" };
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "an address";
