import { expect, test } from "vitest";
import { approval, requestId } from "../../render/fixtures.ts";
import { focusOn, inOrder, keyComesIn, nextOf, quietLeft } from "./waiting.ts";

test("a request takes no key for its first 400 ms, nor while keys are still coming in", () => {
  const fresh = focusOn("a", 1_000);
  expect(keyComesIn(fresh, 1_399).takes).toBe(false);
  expect(keyComesIn(fresh, 1_400).takes).toBe(true);
  const typedInto = keyComesIn(fresh, 1_300).focus;
  expect(keyComesIn(typedInto, 1_500).takes).toBe(false);
  expect(quietLeft(typedInto, 1_500)).toBe(200);
  const quiet = keyComesIn(typedInto, 1_700);
  expect(quiet.takes).toBe(true);
  expect(keyComesIn(quiet.focus, 1_701).takes).toBe(true);
});

test("own requests come first, each part oldest first; Tab goes round", () => {
  const open = (id: string, own: boolean, openedAt: number) => ({
    request: { ...approval, id: requestId(id), openedAt },
    own,
    mode: "code",
  });
  const ordered = inOrder([open("a", false, 1), open("b", true, 3), open("c", true, 2)]);
  expect(ordered.map(({ request }) => request.id)).toEqual(["c", "b", "a"].map(requestId));
  expect(nextOf(ordered, requestId("a"))?.request.id).toBe(requestId("c"));
  expect(nextOf(ordered, undefined)?.request.id).toBe(requestId("c"));
  expect(nextOf([], undefined)).toBeUndefined();
});
