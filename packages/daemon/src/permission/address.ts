import ipaddr from "ipaddr.js";

/** Addresses that answer for the machine's host although they look public. */
const METADATA = new Set(["168.63.129.16"]);

const GLOBAL = ipaddr.parseCIDR("2000::/3");

/** Whether an address, in any spelling of an IP address, is one of the public internet: not this machine, not its network. */
export function isPublicAddress(text: string): boolean {
  const plain = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!ipaddr.isValid(plain)) return false;
  const address = ipaddr.process(plain); // an IPv4 address that is mapped into IPv6 is that IPv4 address
  if (METADATA.has(address.toString())) return false;
  return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(GLOBAL));
}
