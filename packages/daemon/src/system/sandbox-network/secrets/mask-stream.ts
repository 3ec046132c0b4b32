import { Transform } from "node:stream";
import type { SecretSubstitution } from "./placeholders.ts";

/** Replaces values of secrets by their placeholders in a body. It holds back only bytes that may be the beginning of a value. */
export function maskStream({ pairs }: Pick<SecretSubstitution, "pairs">): Transform {
  const values = pairs.map(({ value, placeholder }) => ({ value: Buffer.from(value).toString("latin1"), placeholder }));
  const masked = (text: string) => values.reduce((all, { value, placeholder }) => all.replaceAll(value, placeholder), text);
  let held = "";
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = masked(held + chunk.toString("latin1"));
      const kept = Math.max(...values.map(({ value }) => beginningAtEnd(text, value)));
      held = text.slice(text.length - kept);
      done(null, Buffer.from(text.slice(0, text.length - kept), "latin1"));
    },
    flush(done) {
      done(null, Buffer.from(held, "latin1"));
    },
  });
}

/** How many characters at the end of a text are the beginning of a value. */
function beginningAtEnd(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length--) if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}
