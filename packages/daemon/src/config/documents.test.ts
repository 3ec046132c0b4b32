import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "./load-config.ts";

const docs = path.resolve(import.meta.dirname, "../../../../docs");

/** Blocks of `jsonc` in the documents. A block without braces around it shows a part of the config. */
const configs = globSync("**/*.md", { cwd: docs })
  .filter((page) => page !== "acp.md") // shows the settings of other editors
  .flatMap((page) =>
    Array.from(readFileSync(path.join(docs, page), "utf8").matchAll(/^```jsonc\n([^]*?)^```/gm), ([, block = ""]) => {
      const withoutComments = block.replaceAll(/^\s*\/\/.*$/gm, "").trim();
      return [page, withoutComments.startsWith("{") ? withoutComments : `{\n${withoutComments}\n}`] as const;
    }),
  );

test("the documents contain configs", () => {
  expect(configs.length).toBeGreaterThan(5);
});

test.for(configs)("a config in %s is valid", ([page, text]) => {
  expect(parseConfig(text, page).diagnostics).toEqual([]);
});
