import type { Call, Deeds } from "./program.ts";
import { literal } from "./word.ts";

/** Programs whose words name files of another machine. */
const ELSEWHERE = new Set("docker docker-compose podman kubectl helm ssh mosh adb gcloud aws az".split(" "));

/**
 * Words of a program that nobody has a table for, and values of its flags, which may name files: `--config=/tmp/x`,
 * `-F .env`. What they name is judged as far as it is there.
 */
export function mentioned({ name, words }: Call): Deeds["paths"] {
  if (ELSEWHERE.has(name)) return [];
  return words.flatMap((word) => {
    if (word.kind === "pattern") return [{ word, use: "mentions" as const }];
    const text = word.kind === "literal" ? /^(?:-{1,2}[^=]*=|@)?(.*)$/s.exec(word.text)?.[1] : undefined;
    const isPath = text !== undefined && text !== "" && text.length < MOST_LETTERS && !text.startsWith("-") && !/:\/\/|[\n\0]/.test(text);
    return isPath ? [{ word: literal(text), use: "mentions" as const }] : [];
  });
}

const MOST_LETTERS = 1_000;
