import * as z from "zod";
import { ClientCommand } from "../../../packages/core/src/protocol/command.ts";
import { RequestAnswer } from "../../../packages/core/src/protocol/request.ts";
import { Rule } from "../../../packages/core/src/protocol/rule.ts";
import { loadRouters } from "../../../packages/daemon/src/api/router.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { code, table } from "../markdown.ts";
import { docComments } from "./doc-comments.ts";
import type { Page } from "./page.ts";
import { schemaType } from "./schema-type.ts";

const FILES: Partial<Record<string, string>> = { buffer: "unsaved-buffers" };

export const routers = await loadRouters();

/** All procedures of the daemon's API with their input. */
export const proceduresPage = (): Page => ({
  file: "procedures.md",
  title: "Procedures",
  about:
    "The procedures of the daemon's tRPC API by noun. [Protocol](../protocol.md) explains how to connect, and [Write a client](../clients.md) shows an example. Most clients should use the engine in `@baton/cli/client` instead.",
  parts: Object.entries(routers)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([noun, router]) => [`## ${noun}`, table(["procedure", "kind", "input", "effect"], proceduresOf(noun, router).map(rowOf))])
    .concat(
      "## Named inputs",
      "### Answer",
      "`choice` is the id of a choice of the request. `text` answers in the user's own words, and `fields` answers a form.",
      fieldTable(RequestAnswer),
      "### Rule",
      "[Permissions](../permissions.md) explains actions and resources.",
      fieldTable(Rule),
      "### ClientCommand",
      "Each command has a `type` and these fields.",
      commandTable(),
    ),
});

/** Large inputs, which have their own table. */
const names = z
  .registry<{ id: string }>()
  .add(ClientCommand, { id: "ClientCommand" })
  .add(RequestAnswer, { id: "Answer" })
  .add(Rule, { id: "Rule" });

function fieldTable(schema: z.ZodObject): string {
  const { properties = {}, required = [] } = toJsonSchema(z.object(schema.shape), names);
  return table(
    ["field", "type"],
    Object.entries(properties).map(([name, field]) => [code(`${name}${required.includes(name) ? "" : "?"}`), code(schemaType(field))]),
  );
}

function commandTable(): string {
  const comments = docComments("packages/core/src/protocol/command.ts", (line) => /^ {2}command\("(\w+)"/.exec(line)?.[1]);
  const rows = ClientCommand.options.map((option) => {
    const { type, ...fields } = option.shape;
    const { value } = type as z.ZodLiteral<string>;
    const input = Object.keys(fields).length === 0 ? "" : code(schemaType(toJsonSchema(z.object(fields), names), 1));
    return [code(value), input, comments.get(value) ?? ""];
  });
  return table(["type", "fields", "effect"], rows);
}

const PROCEDURE = /^ {2}(\w+): (?:authed|command)Procedure/;

type Procedure = { name: string; kind: string; input: string; about: string | undefined };

/** tRPC types the definition of a procedure as `any`. */
type Defined = Record<string, { _def: { type: string; inputs?: unknown } }>;

/** The procedures of one noun. */
export function proceduresOf(noun: string, router: (typeof routers)[string]): Procedure[] {
  const comments = docComments(`packages/daemon/src/api/routers/${FILES[noun] ?? noun}.ts`, (line) => PROCEDURE.exec(line)?.[1]);
  return Object.entries(router._def.procedures as Defined).map(([name, { _def }]) => ({
    name: `${noun}.${name}`,
    kind: _def.type,
    input: inputType(_def),
    about: comments.get(name),
  }));
}

/** The fields of all inputs of a procedure. A command also has the `commandId` that its client makes. */
function inputType({ inputs }: { inputs?: unknown }): string {
  const schemas = (Array.isArray(inputs) ? (inputs as z.ZodType[]) : []).map((schema) => toJsonSchema(schema, names)); // all inputs of the API are zod schemas
  const properties = Object.assign({}, ...schemas.map((schema) => schema.properties ?? {})) as Record<
    string,
    ReturnType<typeof toJsonSchema>
  >;
  const required = schemas.flatMap((schema) => schema.required ?? []);
  if (Object.keys(properties).length === 0) return schemas.map((schema) => schemaType(schema)).join(" & ");
  return schemaType({ type: "object", properties, required });
}

const rowOf = ({ name, kind, input, about = "" }: Procedure): string[] => [code(name), kind, input === "" ? "" : code(input), about];
