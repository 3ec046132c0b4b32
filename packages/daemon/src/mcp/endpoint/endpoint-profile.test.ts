import type { LoggedEvent } from "@baton/core/protocol/event";
import type { ProfileEvent, Toolset } from "@baton/core/protocol/toolset/toolset-profile";
import { changedResult } from "@baton/core/toolset/toolset-result";
import type { ToolsetState } from "@baton/core/toolset/toolset-selection-state";
import { expect, test } from "vitest";
import { EndpointProfile, type ProfileLog } from "./endpoint-profile.ts";

/** A log in memory with two possible writers, which refuses an event that does not follow the last one. */
function openLog(): ProfileLog {
  const events: LoggedEvent<ProfileEvent>[] = [];
  return {
    async append({ after, events: more, at }) {
      if (after !== events.length) throw new Error("somebody else wrote here");
      events.push(...more.map((event, i) => ({ ...event, seq: after + 1 + i, at })));
    },
    read: async (_, after = 0) => events.slice(after),
  };
}

const saving = (name: string) => (standing: ToolsetState) => {
  const toolset: Toolset = { name, description: "", createdAt: 1, modifiedAt: 1, tools: [] };
  return changedResult([{ type: "toolset.saved", toolset }], standing, { tools: [], servers: [] }, () => ({ name }));
};

test("a change that conflicts with an event of another daemon is repeated on top of it", async () => {
  const log = openLog();
  const [one, other] = await Promise.all([EndpointProfile.open("p", log, () => 1), EndpointProfile.open("p", log, () => 1)]);
  let heard = 0;
  other.onChange(() => heard++);
  await one.change(saving("a"));
  await one.change(saving("b"));
  expect(await other.change(saving("c"))).toMatchObject({ ok: true, answer: { name: "c" } });
  expect(Object.keys(other.state.toolsets)).toEqual(["a", "b", "c"]);
  expect(heard).toBeGreaterThan(0);
  await one.openFor({ type: "profile.opened", policy: "dual", workspace: "/w", token: "t", by: { daemon: true } });
  expect(Object.keys(one.state.toolsets)).toEqual(["a", "b", "c"]);
});
