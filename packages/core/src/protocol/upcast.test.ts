import { expect, test } from "vitest";
import { upcasts, withVersion, upcastEvent, type Upcast } from "./upcast.ts";

const TYPE = "thing.happened";
const step =
  (to: number): Upcast =>
  (event) => ({ ...event, path: [...("path" in event ? (event.path as number[]) : []), to] });
const tableOf = (versions: number) => new Map([[TYPE, Array.from({ length: versions - 1 }, (_, i) => step(i + 2))]]);
const versions = Array.from({ length: 10 }, (_, i) => i + 1);

test.for(versions.flatMap((written) => versions.map((known) => [written, known] as const)))(
  "an event of version %i is read by a daemon that supports version %i",
  ([written, known]) => {
    const event = withVersion({ type: TYPE, path: [] as number[] }, tableOf(written));
    expect("v" in event).toBe(written > 1);
    const read = upcastEvent(event, tableOf(known));
    const lifted = {
      type: TYPE,
      path: versions.filter((version) => version > written && version <= known),
      ...(known > 1 ? { v: known } : {}),
    };
    expect(read).toEqual(written > known ? { type: `${TYPE}@${written}`, path: [], v: written } : lifted);
    expect(upcastEvent(JSON.parse(JSON.stringify(read)) as typeof read, tableOf(known))).toMatchObject({
      path: "path" in read ? read.path : [],
    });
  },
);

test.for([0, -1, 1.5, "2", null, {}, true])("an event with the version %j has an unknown type", (v) => {
  expect(upcastEvent({ type: TYPE, v }, tableOf(3)).type).toBe(`${TYPE}@${String(v)}`);
});

test("names of JavaScript's own properties are ordinary types", () => {
  for (const type of ["constructor", "toString", "__proto__"]) expect(upcastEvent({ type }, upcasts)).toEqual({ type });
});
