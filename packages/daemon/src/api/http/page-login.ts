import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord, parseJson } from "@baton/core/text/json";

const CODE_HOLDS_MS = 60_000;
const MAX_BYTES = 1_024;
const FAILURES_A_MINUTE = 10;

/** One-time codes that give a page its token when the user opens it from the terminal. */
export type PageLogin = {
  /** A code of 128 bits that works once, within a minute. */
  code: () => string;
  /** Answers `POST /login {code}` with `{token}`, or 401. */
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
};

export function openPageLogin(issue: () => Promise<string>, now: () => number): PageLogin {
  const codes = new Map<string, number>();
  let failures: number[] = [];

  const take = (code: unknown): boolean => {
    if (typeof code !== "string") return false;
    const until = codes.get(code);
    codes.delete(code);
    return until !== undefined && now() <= until;
  };

  return {
    code() {
      for (const [code, until] of codes) if (until < now()) codes.delete(code);
      const code = randomBytes(16).toString("base64url");
      codes.set(code, now() + CODE_HOLDS_MS);
      return code;
    },
    async answer(request, response) {
      failures = failures.filter((at) => at > now() - 60_000);
      if (failures.length >= FAILURES_A_MINUTE) await new Promise((wait) => setTimeout(wait, 1_000));
      if (!take(codeIn(await readBody(request)))) {
        failures.push(now());
        return send(response, 401, { error: "This code was used already or is too old. Run `baton web` again." });
      }
      return send(response, 200, { token: await issue() });
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > MAX_BYTES) return "";
  }
  return body;
}

function codeIn(body: string): unknown {
  const parsed = parseJson(body);
  return isRecord(parsed) ? parsed["code"] : undefined;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" });
  response.end(JSON.stringify(body));
}
