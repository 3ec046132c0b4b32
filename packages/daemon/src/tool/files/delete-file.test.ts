import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("a deletion shows a text file as a diff, and any other file by name and size", async () => {
  await using bench = await Workbench.open({ "a.txt": "one\n", "data.bin": new Uint8Array(3_000), "old.bin": new Uint8Array([0, 1]) });
  expect(await bench.preview("delete_file", { path: "a.txt" })).toMatchObject({ type: "diff", change: "delete", removed: 1 });
  expect(await bench.preview("delete_file", { path: "data.bin" })).toEqual({
    type: "text",
    format: "plain",
    text: "data.bin: 3,000 bytes. Its content is not text, so it is not shown.",
  });
});
