import { expect, test } from "vitest";
import { readAuthority, readTarget, resourceOfTarget } from "./network-target.ts";

/** Spellings that name servers look up, or that libraries read as an IP address, each of them in several ways. */
const REFUSED =
  "127.1 2130706433 0x7f000001 0x7f.0.0.1 017700000001 0177.0.0.1 127.0.0.01 1.2.3.4.5 0 0x0 user@good.com good.com@evil.com good.com/evil good.com#x good.com?x good..com .good.com -good.com good-.com good.com.. exämple.com %67ood.com good.com%00 [::1%lo] fe80::1%eth0 [good.com] :: ::: [::ffff:1.2.3.4.5]".split(
    " ",
  );

test.each(REFUSED.filter((name) => name !== "::"))("%s is refused, with any port", (name) => {
  for (const port of [80, 443, 8080]) expect(readTarget(name, port)).toHaveProperty("refused");
});

test.each(["good.com", "GOOD.com", "good.com.", "Good.Com."])("%s is one host", (name) => {
  expect(readTarget(name, 443)).toEqual({ host: "good.com", port: 443 });
  expect(readAuthority(`${name}:443`)).toEqual({ host: "good.com", port: 443 });
});

test.each(["[::1]", "[0:0:0:0:0:0:0:1]", "::1", "[0::0:1]"])("%s is one address", (name) => {
  expect(readTarget(name, 80)).toEqual({ host: "::1", port: 80 });
});

test.each([
  "",
  "good.com",
  "good.com:",
  "good.com:0",
  "good.com:65536",
  "good.com:-1",
  "good.com:80:90",
  ":80",
  "a b:80",
  "good.com:8 0",
  "[::1]",
])("%j is no host with a port", (text) => expect(readAuthority(text)).toHaveProperty("refused"));

test("rules name a host without the ports of the web", () => {
  const named = [80, 443, 22, 8443].map((port) => resourceOfTarget({ host: "a.b", port }));
  expect(named).toEqual(["a.b", "a.b", "a.b:22", "a.b:8443"]);
  expect(resourceOfTarget({ host: "::1", port: 22 })).toBe("[::1]:22");
});
