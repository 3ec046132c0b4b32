import { expect, test } from "vitest";
import { approval, requestId } from "../../test/support/render-fixtures.ts";
import { acceptsKey, focusOn, sortRequests, keyDelay, nextRequest } from "./request-focus.ts";

test("a request ignores keys for its first 400 ms, and while keys keep arriving", () => {
  const focus = focusOn("a", 1_000);
  expect(acceptsKey(focus, 1_399)).toBe(false);
  expect(keyDelay(focus, 1_500)).toBe(299);
  expect(acceptsKey(focus, 1_798)).toBe(false);
  expect(acceptsKey(focus, 2_198)).toBe(true);
  expect(acceptsKey(focus, 2_199)).toBe(true);
});

test("requests of the session come first, the oldest of each group leads, and Tab cycles through them", () => {
  const open = (id: string, own: boolean, openedAt: number) => ({
    request: { ...approval, id: requestId(id), openedAt },
    own,
    mode: "code",
  });
  const ordered = sortRequests([open("a", false, 1), open("b", true, 3), open("c", true, 2)]);
  expect(ordered.map(({ request }) => request.id)).toEqual(["c", "b", "a"].map(requestId));
  expect(nextRequest(ordered, requestId("a"))?.request.id).toBe(requestId("c"));
  expect(nextRequest(ordered, undefined)?.request.id).toBe(requestId("c"));
  expect(nextRequest([], undefined)).toBeUndefined();
});
