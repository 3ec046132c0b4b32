import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { expect, test } from "vitest";
import { commandLinks, SEND_ONCE } from "./command-client.ts";
import { refusalOf } from "./rpc-errors.ts";

const t = initTRPC.create();
const router = t.router({
  change: t.procedure.input((value) => value as { name: string; commandId?: string }).mutation(() => 1),
  stop: t.procedure.mutation(() => 1),
  look: t.procedure.input((value) => value as { name: string }).query(() => 1),
});
type Router = typeof router;

/** A client whose connection loses the first `lost` messages. `inputs` are all messages that the client sent, including lost ones. */
function clientOf(lost: number, answer: () => unknown = () => "done") {
  const inputs: unknown[] = [];
  const transport: TRPCLink<Router> =
    () =>
    ({ op }) =>
      observable((observer) => {
        inputs.push(op.input);
        const data = inputs.length <= lost ? new Error("The connection was closed") : answer();
        if (data instanceof Error) observer.error(TRPCClientError.from<Router>(data));
        else observer.next({ result: { type: "data", data } });
        if (!(data instanceof Error)) observer.complete();
      });
  return { inputs, api: createTRPCClient<Router>({ links: [...commandLinks<Router>(), transport] }) };
}

test("the client sends a lost command again with the same id until there is an answer", async () => {
  const { api, inputs } = clientOf(3);
  expect(await api.change.mutate({ name: "a" })).toBe("done");
  expect(inputs).toHaveLength(4);
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(1);
  expect(inputs[0]).toEqual({ name: "a", commandId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
});

test("each command has its own id, and keeps an id that the caller passed", async () => {
  const { api, inputs } = clientOf(0);
  await api.change.mutate({ name: "a" });
  await api.change.mutate({ name: "a" });
  await api.change.mutate({ name: "a", commandId: "mine-and-only-mine" });
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(3);
  expect(inputs[2]).toEqual({ name: "a", commandId: "mine-and-only-mine" });
});

test("queries, commands without input, and commands that must not be sent twice fail if they are lost", async () => {
  for (const call of [
    (api: ReturnType<typeof clientOf>["api"]) => api.look.query({ name: "a" }),
    (api: ReturnType<typeof clientOf>["api"]) => api.stop.mutate(),
    (api: ReturnType<typeof clientOf>["api"]) => api.change.mutate({ name: "a" }, SEND_ONCE),
  ]) {
    const { api, inputs } = clientOf(1);
    await expect(call(api)).rejects.toThrow("The connection was closed");
    expect(inputs).toHaveLength(1);
  }
});

test("an error from the daemon is an answer", async () => {
  const refusal = { code: "busy", message: "The session is busy." };
  const shape = { code: -32_009 as const, message: refusal.message, data: { code: "CONFLICT", refusal } };
  const { api, inputs } = clientOf(0, () => TRPCClientError.from({ error: shape }));
  const error: unknown = await api.change.mutate({ name: "a" }).catch((caught: unknown) => caught);
  expect(refusalOf(error)).toEqual(refusal);
  expect(inputs).toHaveLength(1);
});

test("a message that the daemon would refuse is not sent", async () => {
  const { api, inputs } = clientOf(0);
  const tooLarge: unknown = await api.change.mutate({ name: "é".repeat(530_000) }).catch((caught: unknown) => caught);
  expect(refusalOf(tooLarge)?.code).toBe("too_large");
  expect(inputs).toHaveLength(0);
  expect(await api.change.mutate({ name: "é".repeat(500_000) })).toBe("done");
});
