import { applyListChange } from "@baton/core/session/session-list";
import { expect, test } from "vitest";
import type { Api } from "../../src/client/index.ts";
import { TestDaemon } from "../support/daemon.ts";

type Row = Awaited<ReturnType<Api["session"]["list"]["query"]>>[number];

/** A client that follows the list: its folded rows, and the number of rows in each message. */
function follow(api: Api, before: { list: readonly Row[]; mark?: string } = { list: [] }) {
  const seen = { list: before.list, sizes: [] as number[], mark: "" };
  api.session.followList.subscribe(
    { changes: true, ...(before.mark === undefined ? {} : { lastEventId: before.mark }) },
    {
      onData: ({ id, data }) => {
        seen.list = applyListChange(seen.list, data);
        seen.sizes.push("whole" in data ? data.rows.length + data.gone.length : data.length);
        seen.mark = id;
      },
    },
  );
  return seen;
}

const create = (daemon: TestDaemon, api: Api) => api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: daemon.workspace });
const wish = (api: Api, sessionId: string, wish: Parameters<Api["session"]["send"]["mutate"]>[0]["wish"]) =>
  api.session.send.mutate({ sessionId, commandId: crypto.randomUUID(), wish });
const titled = (list: readonly Row[]) => list.map(({ id, title, archived }) => [id, title, archived]);
const byId = (list: readonly Row[]) => titled(list).toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));

test("a commit in one of 500 sessions sends one row to each of ten followers, and every list stays correct", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push(...(await Promise.all(Array.from({ length: 25 }, () => create(daemon, api)))).map(({ id }) => id));
  const followers = Array.from({ length: 10 }, () => follow(daemon.connect().api));
  const older: { list: readonly Row[] } = { list: [] };
  api.session.followList.subscribe({}, { onData: ({ data }) => (older.list = applyListChange([], data)) });
  await expect.poll(() => followers.map(({ sizes }) => sizes)).toEqual(followers.map(() => [500]));

  const [first = "", second = "", third = ""] = [ids[0], ids[250], ids[499]];
  for (const [i, id] of [first, second, third].entries()) {
    await wish(api, id, { type: "rename", title: `renamed ${i}` });
    await expect
      .poll(() => followers.map(({ sizes }) => sizes))
      .toEqual(followers.map(() => [500, ...Array.from({ length: i + 1 }, () => 1)]));
  }
  const before = { ...followers[0], list: followers[0]?.list ?? [] };
  await wish(api, second, { type: "archive", archived: true });
  await api.session.delete.mutate({ commandId: crypto.randomUUID(), sessionId: third });
  const { id: added } = await create(daemon, api);
  const now = await api.session.list.query({});
  expect(now.map(({ id }) => id)).toContain(added);
  const back = follow(daemon.connect().api, before); // reconnects after it missed these
  for (const each of [...followers, older]) await expect.poll(() => byId(each.list)).toEqual(byId(now));
  await expect.poll(() => back.sizes).toEqual([3]);

  await daemon.kill();
  await daemon.start();
  await wish(api, first, { type: "rename", title: "after the restart" });
  const later = await api.session.list.query({});
  for (const each of [...followers, back]) await expect.poll(() => byId(each.list)).toEqual(byId(later));
});
