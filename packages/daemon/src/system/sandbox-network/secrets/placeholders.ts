import { randomBytes } from "node:crypto";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { resourceOfTarget, type NetworkTarget } from "../network-target.ts";

/** A secret that commands use without knowing it. `hosts`: the hosts that receive it, as the setting `network.secrets` names them. */
export type Secret = { name: string; value: string; hosts: readonly string[] };

/** Replaces placeholders by values on the way out, and values by placeholders on the way back. */
export type SecretSubstitution = { fill: (header: string) => string; pairs: readonly { value: string; placeholder: string }[] };

export type Placeholders = {
  /** The variables of a command: each has its placeholder as its value. */
  env: () => Record<string, string>;
  /** The secrets for one target. Undefined if it receives none. */
  exchangeFor: (target: NetworkTarget) => SecretSubstitution | undefined;
};

/** Shorter values would also be found in texts that have nothing to do with them. */
export const MIN_SECRET = 8;

/** The placeholders of one network. They are random, so that text cannot contain one by accident. */
export function openPlaceholders(secrets: () => readonly Secret[]): Placeholders {
  const known = new Map<string, string>();
  const placeholderOf = (name: string): string => {
    const placeholder = known.get(name) ?? `baton-secret-${randomBytes(16).toString("hex")}`;
    known.set(name, placeholder);
    return placeholder;
  };
  return {
    env: () => Object.fromEntries(secrets().map(({ name }) => [name, placeholderOf(name)])),
    exchangeFor(target) {
      if (target.port === 80) return undefined; // without TLS anyone on the way could read it
      const resource = resourceOfTarget(target);
      const pairs = secrets()
        .filter(({ hosts }) => hosts.some((host) => matchesWildcard(host, resource)))
        .map(({ name, value }) => ({ value, placeholder: placeholderOf(name) }));
      if (pairs.length === 0) return undefined;
      const replace = (text: string) => pairs.reduce((all, { value, placeholder }) => all.replaceAll(placeholder, value), text);
      return {
        pairs,
        fill: (header) => replace(header).replace(BASIC, (_, scheme: string, code: string) => scheme + inBase64(code, replace)),
      };
    },
  };
}

/** Credentials of HTTP's Basic scheme are base64 (RFC 7617). */
const BASIC = /^(Basic\s+)([A-Za-z\d+/=]+)$/i;

function inBase64(code: string, replace: (text: string) => string): string {
  const before = Buffer.from(code, "base64").toString("latin1");
  const after = replace(before);
  return after === before ? code : Buffer.from(after, "latin1").toString("base64");
}
