import { expect, test } from "vitest";
import { partsOfName, stem, stemsOf } from "./code-words.ts";

test.each([
  ["parseHTTPRequest_v2", ["parse", "http", "request"]],
  ["MAX_READ_BYTES", ["max", "read", "bytes"]],
  ["compact-conversation.ts", ["compact", "conversation"]],
  ["größeBerechnen", ["größe", "berechnen"]],
  ["購物車", ["購物車"]],
  ["x1 42 ab", []],
])("%s consists of %j", (name, parts) => expect(partsOfName(name)).toEqual(parts));

test.each([
  ["session", "sessions"],
  ["cache", "caching"],
  ["index", "indexes"],
  ["compact", "compaction"],
  ["entry", "entries"],
  ["format", "formatter"],
  ["plan", "planned"],
  ["search", "searching"],
])("%s and %s have one stem", (one, other) => expect(stem(one)).toBe(stem(other)));

test.each([
  ["class", "clas"],
  ["status", "statu"],
  ["bus", "bu"],
])("%s is not shortened to %s", (word, short) => expect(stem(word)).not.toBe(short));

test("a text has the stems of its names, each once", () =>
  expect([...stemsOf("const openSessions = sessions.open(the_session)")]).toEqual(["open", "sess"]));
