import type { NetworkUse } from "../../system/sandbox-network/host-decisions.ts";

const MAX_SHOWN = 12;

/** A line about the hosts that a sandboxed command reached, and one about those that were refused. Empty if it used no network. */
export function hostsText(use: NetworkUse | undefined): string {
  if (!use) return "";
  const { reached, refused } = use;
  const lines = [
    ...(reached.length > 0 ? [`(network: ${shortened(reached)})`] : []),
    ...(refused.length > 0
      ? [
          `(Baton refused connections to ${shortened(
            refused.map(({ host, why }) => `${host}: ${why}`),
            "; ",
          )})`,
        ]
      : []),
  ];
  return lines.map((line) => `\n${line}`).join("");
}

function shortened(names: readonly string[], between = ", "): string {
  const more = names.length - MAX_SHOWN;
  return [...names.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(between);
}
