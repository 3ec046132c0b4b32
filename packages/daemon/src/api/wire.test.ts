import { readFileSync } from "node:fs";
import { SessionEvent } from "@baton/core/protocol/event";
import { WIRE_VERSION } from "@baton/core/protocol/connection/version";
import { expect, test } from "vitest";
import * as z from "zod";
import { loadRouters } from "./router.ts";

type Schema = { [keyword: string]: unknown };
type Procedure = { _def: { type: string; inputs: readonly z.ZodType[] } };

const file = new URL("../../test/fixture/wire.txt", import.meta.url);

/** The content of a schema, one line for each path. */
function linesOf(schema: Schema, at: string): string[] {
  const { properties = {}, required = [], items, anyOf, oneOf, allOf, additionalProperties, enum: values, ...rest } = schema;
  const { $schema: _, $defs: __, default: ___, ...own } = rest;
  const options = [anyOf, oneOf, allOf].flatMap((each) => (each as Schema[] | undefined) ?? []);
  return [
    `${at}\t${JSON.stringify(own)}`,
    ...((values as unknown[] | undefined) ?? []).map((value) => `${at}\t= ${JSON.stringify(value)}`),
    ...Object.entries(properties as Record<string, Schema>).flatMap(([name, property]) => linesOf(property, `${at}.${name}`)),
    ...(required as string[]).map((name) => `${at}\trequires ${name}`),
    ...(typeof items === "object" ? linesOf(items as Schema, `${at}[]`) : []),
    ...(typeof additionalProperties === "object" ? linesOf(additionalProperties as Schema, `${at}.*`) : []),
    ...options.flatMap((option) => linesOf(option, `${at}|${nameOf(option)}`)),
  ];
}

/** An option of a union is identified by its constants, or else by its fields, so that a new option does not rename the others. */
function nameOf({ properties = {}, type, const: value }: Schema): string {
  const fields = Object.entries(properties as Record<string, Schema>);
  const constants = fields.flatMap(([, field]) => (field["const"] === undefined ? [] : [String(field["const"])]));
  if (constants.length > 0) return constants.join(" ");
  return fields.length > 0 ? fields.map(([name]) => name).join(" ") : String(value ?? type);
}

const routers = await loadRouters();

const schemaOf = (type: z.ZodType, io: "input" | "output"): Schema => z.toJSONSchema(type, { io, unrepresentable: "any" });

function wire(): string[] {
  const all = Object.entries(routers).flatMap(([noun, { _def }]) =>
    Object.entries(_def.procedures as unknown as Record<string, Procedure>).map(([name, { _def: def }]) => ({
      at: `${noun}.${name}`,
      ...def,
    })),
  );
  const inputs = all.flatMap(({ at, type, inputs: schemas }) => [
    `procedure ${at}\t${type}`,
    ...schemas.flatMap((schema) => linesOf(schemaOf(schema, "input"), `procedure ${at}`)),
  ]);
  const own = inputs.filter((line) => !line.startsWith("procedure session.import.events[]")); // events follow below
  return [...new Set([...own, ...linesOf(schemaOf(SessionEvent, "output"), "event")])].toSorted();
}

const placeOf = (line: string): string => line.slice(0, line.indexOf("\t"));

/** Lines that keep one side from understanding the other: the daemon accepts less, requires more, or promises less than before. */
function brokenIn(before: readonly string[], now: readonly string[]): string[] {
  const [were, are] = [new Set(before), new Set(now)];
  const places = new Set(before.map(placeOf));
  const isDemand = (line: string) => line.startsWith("procedure ") && line.includes("\trequires ");
  return [
    ...before.filter((line) => !are.has(line) && !isDemand(line)),
    ...now.filter((line) => !were.has(line) && isDemand(line) && places.has(placeOf(line))),
  ];
}

test("a wire format that older clients do not understand has another version", async () => {
  const [first = "", ...before] = readFileSync(file, "utf8").trimEnd().split("\n");
  const now = wire();
  const broken = brokenIn(before, now);
  const recorded = Number(first.split(" ").at(-1));
  const advice =
    `Clients of before cannot speak this wire:\n${broken.join("\n")}\n` +
    `Set WIRE_VERSION in core/src/protocol/connection/version.ts to ${recorded + 1}, then run this test with -u.`;
  expect(broken.length > 0 && WIRE_VERSION <= recorded ? advice : "").toBe("");
  await expect(`version ${WIRE_VERSION}\n${now.join("\n")}\n`).toMatchFileSnapshot(file.pathname);
});
