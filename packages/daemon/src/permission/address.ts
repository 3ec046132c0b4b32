import ipaddr, { type IPv6 } from "ipaddr.js";

/** Addresses that reach the machine's host although they look public. */
const METADATA = new Set(["168.63.129.16"]);

/** Addresses of IPv6 that are assigned for use on the internet. */
const isGlobal = (address: IPv6): boolean => (address.parts[0] ?? 0) >> 13 === 0b001; // 2000::/3

/** True if an address is on the public internet, in any spelling of an IP address. It must not belong to this machine or its network. */
export function isPublicAddress(text: string): boolean {
  const plain = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!ipaddr.isValid(plain)) return false;
  const address = ipaddr.process(plain); // turns an IPv4-mapped IPv6 address into IPv4
  if (METADATA.has(address.toString())) return false;
  return address.range() === "unicast" && (address.kind() === "ipv4" || isGlobal(address as IPv6));
}
