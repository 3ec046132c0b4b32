import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Decides who may connect, before any frame is read. */
type Admission =
  | { admit: true; actor: string }
  /** From our own page: it has to show its token in the first frame. */
  | { admit: "must-authenticate" }
  | { admit: false; status: 401 | 403 | 421; reason: string };

/**
 * Checks the host first (to stop DNS rebinding), then the origin (only Baton's own page), then the token. A connection without
 * an origin is a program, which shows its token in the `Authorization` header.
 */
export function authenticate(request: Pick<IncomingMessage, "headers">, port: number, token: string): Admission {
  const { host, origin, authorization } = request.headers;
  if (!ownHosts(port).includes(host ?? "")) return { admit: false, status: 421, reason: "This is not the daemon's address." };
  if (origin !== undefined) {
    if (!ownHosts(port).some((own) => origin === `http://${own}`))
      return { admit: false, status: 403, reason: "Pages of other origins may not connect." };
    return { admit: "must-authenticate" };
  }
  const presented = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (presented === undefined || !tokensMatch(presented, token))
    return { admit: false, status: 401, reason: "The daemon's token is required. It is in daemon.json." };
  return { admit: true, actor: clientActor(request.headers["x-baton-client"]) };
}

/** Compares in constant time, whatever the lengths. */
export function tokensMatch(presented: string, token: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(presented), digest(token));
}

/** The name of a client where its answers are shown: one word of plain characters. */
export function clientActor(name: unknown): string {
  return typeof name === "string" && /^[a-z][a-z0-9-]{0,30}$/.test(name) ? name : "client";
}

const ownHosts = (port: number) => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
