import { expect, test } from "vitest";
import { approvalQuestion } from "./server-approval.ts";
import { mcpServerDefinitions, unsetVariablesText } from "./server-definition.ts";

const none = { servers: {}, source: "" };

test("variables are filled in, and a variable that is not set becomes empty and is reported by its name", () => {
  const project = {
    source: ".mcp.json",
    servers: {
      a: { command: "${HERE}/run", args: ["${GONE}", "${GONE:-else}", "{env:LOST}"], env: { KEY: "${GONE}" } },
      b: { command: "x" },
    },
  };
  const [a, b] = mcpServerDefinitions(none, project, [], [], "/work", { HERE: "/opt" });
  expect(a?.launch).toMatchObject({ command: "/opt/run", args: ["", "else", ""], env: { KEY: "" } });
  expect(a && unsetVariablesText(a)).toBe("These variables are not set in the daemon's environment, so they are empty: GONE, LOST.");
  expect(b && unsetVariablesText(b)).toBeUndefined();
});

test("a definition from a client is used literally", () => {
  const [lent] = mcpServerDefinitions(none, none, [], [{ source: "an editor", servers: { a: { command: "${GONE}" } } }], "/work", {});
  expect(lent).toMatchObject({ scope: "client", launch: { command: "${GONE}" }, unset: [] });
});

test("the user sees the text of the file and the program that it means, but no value of a variable that may be a secret", () => {
  const servers = {
    a: { command: "${HERE}/run", args: ["--key", "${KEY}"] },
    b: { url: "https://x.test/mcp?key=${KEY}" },
  };
  const asked = mcpServerDefinitions(none, { source: ".mcp.json", servers }, [], [], "/work", { HERE: "/opt", KEY: "s3cret" }).map(
    (each) => JSON.stringify(approvalQuestion(each, { tools: {}, refused: [] }, undefined, false)) ?? "",
  );
  expect(asked[0]).toMatch(/--key.*\$\{KEY\}.*The program is \/opt\/run\./);
  expect(asked[1]).toContain("https://x.test/mcp?key=${KEY}");
  expect(asked.join("")).not.toContain("s3cret");
});
