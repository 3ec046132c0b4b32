import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { maskStream } from "./mask-stream.ts";

const secrets = {
  pairs: [
    { value: "sécret-aa", placeholder: "P1" },
    { value: "aa-other", placeholder: "P2" },
  ],
};

test("a value is replaced wherever a body is cut, and no other byte changes", async () => {
  const bodies = [
    "sécret-aa",
    "x sécret-aa y sécret-aa",
    "sécret-a sécret-aa",
    "sésécret-aa",
    "aa-otheraa-othe",
    "sécret-",
    "plain ü text",
    "",
  ];
  for (const body of bodies) {
    const bytes = Buffer.from(body);
    for (let one = 0; one <= bytes.length; one++)
      for (let two = one; two <= bytes.length; two++) {
        const mask = maskStream(secrets);
        for (const part of [bytes.subarray(0, one), bytes.subarray(one, two), bytes.subarray(two)]) mask.write(part);
        mask.end();
        expect(await text(mask), `${body} cut at ${one} and ${two}`).toBe(body.replaceAll("sécret-aa", "P1").replaceAll("aa-other", "P2"));
      }
  }
});

test("bytes that cannot begin a value are passed on at once", async () => {
  const mask = maskStream(secrets);
  mask.write("data: hello\n\ns");
  expect(String(mask.read())).toBe("data: hello\n\n");
  mask.write("aid\n\n");
  expect(String(mask.read())).toBe("said\n\n");
});
