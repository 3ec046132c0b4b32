/** One answer of a model, independent of a provider's format. `raw` replaces the text of a call's arguments. */
export type WireReply = {
  reasoning?: string;
  text?: string;
  calls?: { tool: string; input?: unknown; raw?: string; id?: string }[];
  /** The reason for the end, in the provider's own word. Null leaves it out. */
  finish?: string | null;
  /** The number of tokens in the request, according to the provider. */
  tokens?: number;
};

/** The wire format of one provider, as its public documentation describes it. */
export type Format = {
  /** The config's name for this kind of provider, and a model that is known to think. */
  kind: string;
  model: string;
  /** The part after the server's address. */
  base: string;
  /** Additional config of such a provider. */
  settings?: Readonly<Record<string, string>>;
  /** The content type of a stream, if it is not server-sent events. */
  contentType?: string;
  /** The stream of the `k`th reply of a conversation, event by event. */
  eventsOf: (reply: WireReply, k: number) => readonly (string | Uint8Array)[];
  /** An error in the middle of a stream: the provider is overloaded. */
  errorIn: (message: string) => string | Uint8Array;
  /** The number of replies in the conversation of a request. */
  repliesIn: (body: unknown) => number;
  /** The error that the provider would report. `given` are the replies that the conversation should contain. */
  faultsOf: (body: unknown, replies: readonly WireReply[]) => string[];
  /** The body of a refusal. */
  refusal: (status: number, message: string) => unknown;
  /** The error for a request that is too long. */
  overflow: { status: number; message: string };
};

/** The whole stream of the `k`th reply of a conversation. */
export const streamOf = ({ eventsOf }: Pick<Format, "eventsOf">, reply: WireReply, k: number): Buffer =>
  Buffer.concat(eventsOf(reply, k).map(bytesOf));

export const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? Buffer.from(text) : text);

/** A text in small pieces, as models stream it. */
export const pieces = (text: string, size = 7): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];

export const argumentsOf = ({ raw, input }: NonNullable<WireReply["calls"]>[number]): string => raw ?? JSON.stringify(input ?? {});

export const event = (data: { type: string; [field: string]: unknown }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** The signature of a thinking block in reply `k`, which must come back unchanged. */
export const signatureOf = (k: number): string => `c2lnbmF0dXJl${k}==`;

/** Ids that occur on one side only, or twice. */
export function unpaired(calls: readonly string[], results: readonly string[], where: string): string[] {
  const faults = calls.filter((id) => !results.includes(id)).map((id) => `${where}: call ${id} has no result right after it`);
  faults.push(...results.filter((id) => !calls.includes(id)).map((id) => `${where}: result ${id} follows no call`));
  if (new Set(calls).size !== calls.length) faults.push(`${where}: ids are not unique: ${calls.join(" ")}`);
  return faults;
}
