import { expect, test } from "vitest";
import { openSessionRepositoryMaps } from "./session-repository-maps.ts";

const everything = () => true;
const asked = (text: string | undefined) => async () => text;

test("a session keeps its map until it is compacted, and has none before its first prompt", async () => {
  let made = 0;
  const maps = openSessionRepositoryMaps(async (workspace, query) => `${workspace} ${query} ${++made}`);
  const one = { id: "one", workspace: "/w", compactions: 0 };
  expect(await maps(one, asked(undefined), everything)).toBe("");
  expect(await maps(one, asked("first"), everything)).toBe("/w first 1");
  expect(await maps(one, asked("second"), everything)).toBe("/w first 1");
  expect(await maps({ ...one, id: "two" }, asked("third"), everything)).toBe("/w third 2");
  expect(await maps({ ...one, compactions: 1 }, asked("fourth"), everything)).toBe("/w fourth 3");
  expect(await maps({ ...one, compactions: 1 }, asked("fifth"), everything)).toBe("/w fourth 3");
});

test("only the newest sessions are kept", async () => {
  let made = 0;
  const maps = openSessionRepositoryMaps(async () => String(++made));
  const session = (id: number) => ({ id: String(id), workspace: "/w", compactions: 0 });
  for (let id = 0; id < 600; id++) await maps(session(id), asked("go"), everything);
  expect(await maps(session(599), asked("go"), everything)).toBe("600");
  expect(await maps(session(0), asked("go"), everything)).toBe("601");
});
