import { isRecord, parseJson } from "@baton/core/text/json";
import type { core } from "zod";

/**
 * Converts all forms in which models write suggested answers: texts, objects with a text under one of its older names, `<suggest>`
 * elements, or such a list as JSON text. Other fields, such as a mode, and empty answers are dropped.
 */
export function normalizeSuggestions(input: unknown, context: core.$RefinementCtx): unknown {
  const texts = textsOf(input);
  if (texts === undefined) {
    context.addIssue({ code: "custom", message: "is not a list of answers: send an array of objects with a text", input });
    return input;
  }
  return texts.map((text) => ({ text: text.trim() })).filter(({ text }) => text !== "");
}

const NAMES = ["text", "answer", "suggest", "#text"];

function textsOf(input: unknown): string[] | undefined {
  if (typeof input === "string") return textsOfString(input);
  if (Array.isArray(input)) return all(input.map(textsOfOne));
  return isRecord(input) ? textsOfOne(input) : undefined;
}

function textsOfOne(input: unknown): string[] | undefined {
  if (typeof input === "string") return [input];
  if (!isRecord(input)) return undefined;
  const name = NAMES.find((each) => input[each] !== undefined);
  if (name === undefined) return undefined;
  const value = input[name];
  return Array.isArray(value) ? all(value.map(textsOfOne)) : textsOfOne(value);
}

function textsOfString(input: string): string[] | undefined {
  const text = input.trim();
  if (text === "") return [];
  if (text.startsWith("[")) return textsOfJson(text);
  return textsOfXml(text.replace(/^<follow_up>/, "").replace(/<\/follow_up>$/, ""));
}

function textsOfJson(text: string): string[] | undefined {
  const parsed = parseJson(text);
  return Array.isArray(parsed) ? textsOf(parsed) : undefined;
}

const OPENING = /\s*<suggest(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*(\/?)>/y;
const CLOSING = "</suggest>";

/** The contents of the elements. Undefined if there is other text, or if an element is not closed. */
function textsOfXml(xml: string): string[] | undefined {
  const texts: string[] = [];
  for (let at = 0; xml.slice(at).trim() !== "";) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(xml);
    if (!opening) return undefined;
    at = OPENING.lastIndex;
    if (opening[1] === "/") continue;
    const end = xml.indexOf(CLOSING, at);
    const content = xml.slice(at, end);
    if (end < 0 || content.includes("<suggest")) return undefined;
    texts.push(decoded(content));
    at = end + CLOSING.length;
  }
  return texts;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function decoded(content: string): string {
  const inner = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(content)?.[1];
  return inner ?? content.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|amp));/gi, entity);
}

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

const all = (parts: readonly (string[] | undefined)[]): string[] | undefined =>
  parts.every((part) => part !== undefined) ? parts.flat() : undefined;
