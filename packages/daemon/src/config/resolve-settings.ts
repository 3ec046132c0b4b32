import { MAX_ATTEMPTS } from "@baton/core/session/retry-policy";
import type { Config } from "./config-schema.ts";
import { unsetVariable } from "./provider-settings.ts";
import type { SourcedRule } from "@baton/core/protocol/rule";
import type { LoadedConfig, ConfigDiagnostic } from "./load-config.ts";
import type { Mode } from "@baton/core/protocol/mode";

/** The retry settings with their defaults, in milliseconds. */
export const retrySettings = ({ attempts, firstWait, longestWait }: Config["retries"] = {}) => ({
  attempts: attempts ?? MAX_ATTEMPTS,
  firstMs: (firstWait ?? 1) * 1_000,
  longestMs: (longestWait ?? 600) * 1_000,
});

/** The rules for `network: "off"` and for the hosts that `network` denies, with the line of the setting. */
export function networkRules({ file, config, lines }: LoadedConfig): SourcedRule[] {
  const { network } = config;
  const line = `${file}:${lines.network ?? 1}`;
  const limit = (action: string, resource: string, source: string): SourcedRule => ({
    action,
    resource,
    effect: "deny",
    layer: "ceiling",
    source,
  });
  if (network === "off") return ["fetch", "browser", "network"].map((action) => limit(action, "*", `network is off, ${line}`));
  if (typeof network !== "object") return [];
  return (network.deny ?? []).flatMap(everyPort).map((host) => limit("network", host, `network.deny, ${line}`));
}

/** The hosts that the user's own `network` allows, which are all if it is on. Rules of `permissions` are stronger. */
export function allowedHostRules({ file, config, lines }: LoadedConfig): SourcedRule[] {
  const { network } = config;
  const source = `network, ${file}:${lines.network ?? 1}`;
  const hosts = network === "on" ? ["*"] : typeof network === "object" ? (network.allow ?? []) : [];
  return hosts.map((host) => ({
    action: "network",
    resource: host.toLowerCase(),
    effect: "allow",
    layer: "user",
    source,
  }));
}

/** A host without a port is denied on every port. It is allowed on the ports of the web only. */
const everyPort = (host: string): string[] =>
  /:(\d+|\*)$/.test(host) || host === "*" ? [host.toLowerCase()] : [host.toLowerCase(), `${host.toLowerCase()}:*`];

/** Warnings about variables that keys and headers name, but that are not set in the daemon's environment. */
export function unsetVariableProblems(
  { file, config, lines }: Pick<LoadedConfig, "file" | "config" | "lines">,
  env: Readonly<Record<string, string | undefined>>,
): ConfigDiagnostic[] {
  const providers = Object.entries(config.providers ?? {}).flatMap(([name, { apiKey, headers = {} }]) => [
    { section: "providers" as const, place: `providers.${name}.apiKey`, value: apiKey, effect: "is ignored" },
    ...Object.entries(headers).map(([header, value]) => ({
      section: "providers" as const,
      place: `providers.${name}.headers.${header}`,
      value,
      effect: "is empty",
    })),
  ]);
  const search = { section: "webSearch" as const, place: "webSearch.key", value: config.webSearch?.key, effect: "is ignored" };
  return [...providers, search].flatMap(({ section, place, value, effect }) => {
    const name = unsetVariable(value, env);
    if (name === undefined) return [];
    const message = `${place}: the variable ${name} is not set in the daemon's environment, so this ${effect}. Set it and run \`baton daemon restart\`.`;
    return [{ file, line: lines[section] ?? 1, column: 1, severity: "warning" as const, message }];
  });
}

/** A warning if sessions cannot start in the configured `defaultMode`: it does not exist, or it is only for subtasks. */
export function defaultModeProblem(
  { config, lines }: Pick<LoadedConfig, "config" | "lines">,
  file: string,
  modes: readonly Mode[],
): ConfigDiagnostic[] {
  const slug = config.defaultMode;
  const mode = modes.find((each) => each.slug === slug);
  if (slug === undefined || (mode && mode.kind !== "subagent")) return [];
  const why = mode ? `defaultMode is ${slug}, which is only for subtasks.` : `defaultMode is ${slug}, but there is no such mode.`;
  return [{ file, line: lines.defaultMode ?? 1, column: 1, severity: "warning", message: `${why} \`baton modes list\` lists the modes.` }];
}
