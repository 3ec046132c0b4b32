import { expect, test } from "vitest";
import { definitionsOf, unsetText } from "./definition.ts";

const none = { servers: {}, source: "" };

test("variables are filled in; what is not set is empty, and told by its name", () => {
  const project = {
    source: ".mcp.json",
    servers: {
      a: { command: "${HERE}/run", args: ["${GONE}", "${GONE:-else}", "{env:LOST}"], env: { KEY: "${GONE}" } },
      b: { command: "x" },
    },
  };
  const [a, b] = definitionsOf(none, project, [], "/work", { HERE: "/opt" });
  expect(a?.launch).toMatchObject({ command: "/opt/run", args: ["", "else", ""], env: { KEY: "" } });
  expect(a && unsetText(a)).toBe("Not set where the daemon was started, so empty: GONE, LOST.");
  expect(b && unsetText(b)).toBeUndefined();
});

test("what a client names is taken by the letter", () => {
  const [lent] = definitionsOf(none, none, [{ source: "an editor", servers: { a: { command: "${GONE}" } } }], "/work", {});
  expect(lent).toMatchObject({ scope: "client", launch: { command: "${GONE}" }, unset: [] });
});
