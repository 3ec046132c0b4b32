/** One answer of a model, in no provider's words. `raw` stands in for the text of a call's arguments. */
export type WireReply = {
  reasoning?: string;
  text?: string;
  calls?: { tool: string; input?: unknown; raw?: string; id?: string }[];
  /** Why it ended, in the provider's own word; null leaves it out. */
  finish?: string | null;
  /** How many tokens the request had, as the provider counts. */
  tokens?: number;
};

/** One provider's way over the wire, as its public documentation has it. */
export type Format = {
  /** How the config calls the kind of provider, and a model that it knows to think. */
  kind: string;
  model: string;
  /** What comes after the server's address. */
  base: string;
  /** What the config of such a provider says besides. */
  settings?: Readonly<Record<string, string>>;
  /** Of a stream, where it is none of server-sent events. */
  contentType?: string;
  /** The stream of the `k`th reply of a conversation, event by event. */
  eventsOf: (reply: WireReply, k: number) => readonly (string | Uint8Array)[];
  /** An error in the middle of a stream: the provider has too much to do. */
  errorIn: (message: string) => string | Uint8Array;
  /** How many replies stand in the conversation of a request. */
  repliesIn: (body: unknown) => number;
  /** What the provider would refuse; `given` are the replies that the conversation should hold. */
  faultsOf: (body: unknown, given: readonly WireReply[]) => string[];
  /** The body of a refusal. */
  refusal: (status: number, message: string) => unknown;
  /** What it says to a request that is too long. */
  overflow: { status: number; message: string };
};

/** The whole stream of the `k`th reply of a conversation. */
export const streamOf = ({ eventsOf }: Pick<Format, "eventsOf">, reply: WireReply, k: number): Buffer =>
  Buffer.concat(eventsOf(reply, k).map(bytesOf));

export const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? Buffer.from(text) : text);

/** A text in the small pieces that models stream. */
export const pieces = (text: string, size = 7): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];

export const argumentsOf = ({ raw, input }: NonNullable<WireReply["calls"]>[number]): string => raw ?? JSON.stringify(input ?? {});

export const event = (data: { type: string; [field: string]: unknown }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** What a signed thought of reply `k` carries, to be given back unchanged. */
export const signatureOf = (k: number): string => `c2lnbmF0dXJl${k}==`;

/** Ids that stand on one side only, or twice. */
export function unpaired(calls: readonly string[], results: readonly string[], where: string): string[] {
  const faults = calls.filter((id) => !results.includes(id)).map((id) => `${where}: call ${id} has no result right after it`);
  faults.push(...results.filter((id) => !calls.includes(id)).map((id) => `${where}: result ${id} follows no call`));
  if (new Set(calls).size !== calls.length) faults.push(`${where}: ids are not unique: ${calls.join(" ")}`);
  return faults;
}
