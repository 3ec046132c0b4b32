import type { ProgramExit } from "../system/commands/run-with-input.ts";

/** A hook that is reached by HTTP. A header may name a variable as `$NAME` if the hook lists it. */
type HookRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  allowedEnvVars: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
};

const MAX_OUTPUT = 1024 * 1024;

/** Posts the input of a hook. A status of 200 to 299 is exit code 0 with the body as its output. It follows no redirect. */
export async function runHttpHook(
  { url, headers, allowedEnvVars, env, timeoutMs }: HookRequest,
  input: string,
  signal: AbortSignal,
): Promise<ProgramExit> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...expanded(headers, allowedEnvVars, env) },
      body: input,
      redirect: "error",
      signal: AbortSignal.any([signal, timeout]),
    });
    const body = await readBody(response);
    if (body === undefined) return { problem: `it answered with more than ${MAX_OUTPUT / 1024 / 1024} MB` };
    return response.ok ? { code: 0, stdout: body, stderr: "" } : { code: 1, stdout: "", stderr: `HTTP status ${response.status}` };
  } catch (error) {
    if (timeout.aborted) return { problem: `it did not answer within ${timeoutMs / 1_000} seconds` };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { problem: `it could not be reached: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
}

async function readBody({ body }: Response): Promise<string | undefined> {
  if (!body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_OUTPUT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const expanded = (headers: HookRequest["headers"], allowed: readonly string[], env: HookRequest["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{?(\w+)\}?/g, (_, variable: string) => (allowed.includes(variable) ? (env[variable] ?? "") : "")),
    ]),
  );
