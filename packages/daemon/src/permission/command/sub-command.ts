import { byTable } from "./by-table.ts";
import type { Deeds, Program } from "./program.ts";
import type { Tables } from "./table.ts";

/** A program whose first one or two words say what it does; of others nothing is known. */
export const bySubCommand =
  (tables: Tables): Program =>
  ({ words }): Deeds => {
    const [first, second] = words.map(({ kind, text }) => (kind === "literal" ? text : "$"));
    for (const count of [2, 1]) {
      const name = [first, second].slice(0, count).join(" ");
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
      if (table) return byTable(table, words.slice(count));
    }
    return { reads: false, paths: [], doubts: [] };
  };
