import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { mergeProcessCovs } from "@bcoe/v8-coverage";
import { convert } from "ast-v8-to-istanbul";
import { parseAst } from "rolldown/parseAst";

type Count = { all: number; ran: number };

/** The coverage of a file. `name` is its path in the checkout. */
export type Measured = { name: string; lines: Count; branches: Count };

type Converted = Awaited<ReturnType<typeof convert>>[string];

/** Reads the records that the daemons of a run wrote into a folder. Returns the files of these folders, by name. */
export async function measured(records: string, checkout: string, rooms: readonly string[]): Promise<Measured[]> {
  const all = readdirSync(records).map(
    (file) => JSON.parse(readFileSync(path.join(records, file), "utf8")) as Parameters<typeof mergeProcessCovs>[0][number],
  );
  const found: Measured[] = [];
  for (const { url, functions } of mergeProcessCovs(all).result) {
    const file = fileURLToPath(url);
    if (!existsSync(`${file}.map`)) continue;
    const sourceMap = JSON.parse(readFileSync(`${file}.map`, "utf8")) as {
      version: 3;
      names: string[];
      sources: string[];
      mappings: string;
    };
    const nameOf = (source: string) => path.relative(checkout, path.resolve(path.dirname(file), source)).replaceAll(path.sep, "/");
    const isOurs = (source: string) => rooms.some((room) => nameOf(source).startsWith(`${room}/`));
    if (!sourceMap.sources.some(isOurs)) continue;
    const code = readFileSync(file, "utf8");
    const files = await convert({ code, sourceMap, coverage: { url, functions }, ast: parseAst(code) });
    for (const [source, converted] of Object.entries(files))
      if (isOurs(source)) found.push({ name: nameOf(source), ...countsOf(converted) });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function countsOf({ statementMap, s, b }: Converted): Omit<Measured, "name"> {
  const lines = new Map<number, number>();
  for (const [key, { start }] of Object.entries(statementMap)) lines.set(start.line, Math.max(lines.get(start.line) ?? 0, s[key] ?? 0));
  return { lines: countOf([...lines.values()]), branches: countOf(Object.values(b).flat()) };
}

const countOf = (counts: readonly number[]): Count => ({ all: counts.length, ran: counts.filter((count) => count > 0).length });
