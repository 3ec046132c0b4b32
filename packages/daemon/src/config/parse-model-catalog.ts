import { ModelEntry } from "@baton/core/protocol/config/model";
import { findNodeAtLocation, parseTree, type Node, type ParseError } from "jsonc-parser";
import * as z from "zod";
import { jsonErrorMessage } from "./json-error-message.ts";
import { positionAt } from "./load-config.ts";

/** Of a model that does not write text, models.dev gives 0 as a limit. */
const Size = z
  .number()
  .int()
  .nonnegative()
  .transform((size) => (size === 0 ? undefined : size));

const Rates = z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() });

/** The prices above 200,000 tokens had a field of their own before there were tiers. */
const Cost = z
  .looseObject({ context_over_200k: Rates.loose().optional() })
  .transform(({ context_over_200k: above, ...cost }) =>
    above && cost["tiers"] === undefined ? { ...cost, tiers: [{ ...above, tier: { size: 200_000 } }] } : cost,
  )
  .pipe(ModelEntry.shape.cost.unwrap());

const Model = ModelEntry.extend({
  cost: Cost.optional(),
  limit: z.object({ context: Size.optional(), input: Size.optional(), output: Size.optional() }).optional(),
});

/** The form of `api.json` of models.dev. Fields that Baton does not use are left out. */
const Catalog = z.record(
  z.string(),
  z.object({ name: z.string(), env: z.array(z.string()).default([]), models: z.record(z.string(), Model) }),
);

type ParsedCatalog = z.output<typeof Catalog>;

/** Parses a catalog of models. `problem` names the place in the text and what is wrong there. */
export function parseModelCatalog(text: string, source: string): { catalog: ParsedCatalog } | { problem: string } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const at = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `${source}:${line}:${column}`;
  };
  const [first] = errors;
  if (first) return { problem: `${at(first.offset)}: ${jsonErrorMessage(first)}.` };
  const parsed = Catalog.safeParse(JSON.parse(text));
  if (parsed.success) return Object.keys(parsed.data).length > 0 ? { catalog: parsed.data } : { problem: `${source} names no provider.` };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  const problem = issue?.message.replace(/^Invalid \w+: /, "") ?? "unknown problem";
  return { problem: `${at(nearest(root, path)?.offset ?? 0)}: ${path.length === 0 ? "" : `${path.join(".")}: `}${problem}.` };
}

/** The node at a path, or the nearest one around it. */
function nearest(root: Node | undefined, path: readonly string[]): Node | undefined {
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length).map(asSegment));
    if (node) return node;
  }
  return root;
}

/** Positions in lists are numbers. */
const asSegment = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);
