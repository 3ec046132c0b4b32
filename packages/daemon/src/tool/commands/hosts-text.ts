import type { NetworkUse } from "../../system/sandbox-network/host-decisions.ts";

const MAX_SHOWN = 12;

/** A line about the hosts that a sandboxed command reached, and one for each reason why some were refused. Empty if it used no network. */
export function hostsText(use: NetworkUse | undefined): string {
  if (!use) return "";
  const { reached, refused } = use;
  const reasons = [...Map.groupBy(refused, ({ why }) => why)];
  const lines = [
    ...(reached.length > 0 ? [`(network: ${shortened(reached)})`] : []),
    ...reasons.map(([why, hosts]) => `(Baton refused connections to ${shortened(hosts.map(({ host }) => host))}: ${why})`),
  ];
  return lines.map((line) => `\n${line}`).join("");
}

function shortened(names: readonly string[]): string {
  const more = names.length - MAX_SHOWN;
  return [...names.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
