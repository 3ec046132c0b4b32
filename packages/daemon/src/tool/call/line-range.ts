import { isRecord } from "@baton/core/text/json";

/** Reads `offset` and `limit` of other agents' read tools as the first and last line. */
export function withLineRange(tool: string, input: unknown): unknown {
  if (tool !== "read_file" || !isRecord(input) || "start_line" in input || "end_line" in input) return input;
  const { offset, limit, ...rest } = input;
  const [first, count] = [integer(offset), integer(limit)];
  if ((offset !== undefined && first === undefined) || (limit !== undefined && (count === undefined || count < 1))) return input;
  const start = Math.max(1, first ?? 1);
  return {
    ...rest,
    ...(first === undefined ? {} : { start_line: start }),
    ...(count === undefined ? {} : { end_line: start + count - 1 }),
  };
}

function integer(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}
