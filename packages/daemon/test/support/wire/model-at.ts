import { openModelRegistry } from "../../../src/model/model-registry.ts";
import type { Model, ModelPart, ModelRequest } from "../../../src/model/model-port.ts";
import type { WireServer } from "./server.ts";

/** The model that the config makes for a server, without a daemon around it: fast enough for thousands of faults. */
export async function modelAt({ format, url }: WireServer, timeoutMs?: number): Promise<Model> {
  const key = { stamp: "k", read: () => Promise.resolve("sk-secret-canary") };
  const catalog = openModelRegistry(() => ({
    providers: [{ name: format.kind, kind: format.kind as "anthropic", baseUrl: url, ...format.settings, key, models: {}, timeoutMs }],
    env: {},
    stored: () => undefined,
    demo: undefined,
  }));
  await catalog.load();
  const resolved = catalog.resolve([`${format.kind}/${format.model}`]);
  if ("code" in resolved) throw new Error(resolved.message);
  return resolved.model;
}

/** Requests the first step of a conversation, with one available tool. */
export const ask = (model: Model, more: Partial<ModelRequest> = {}, onPart: (part: ModelPart) => void = () => undefined) =>
  model(
    {
      sessionId: "s",
      step: 1,
      system: "You look.",
      messages: [{ role: "user", text: "Look." }],
      tools: [{ name: "list_files", description: "Lists.", schema: { type: "object", properties: {} } }],
      readBlob: () => Promise.resolve(undefined),
      ...more,
    },
    onPart,
    new AbortController().signal,
  );
