import { expect, test } from "vitest";
import { isPublicAddress } from "./address.ts";
import { gateUrl, hostRuleOf, addressChecker } from "./url-gate.ts";

test.each([
  ["https://example.com", "https://example.com/"],
  ["HTTPS://Example.COM:443/a?b=c#d", "https://example.com/a"],
  ["http://example.com:8080/a/../b", "http://example.com:8080/b"],
  ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
  ["https://93.184.216.34/", "https://93.184.216.34/"],
  ["https://example.com./%61dmin/%2fx%7e", "https://example.com/admin/%2Fx~"],
  ["http://example.com.:8080/", "http://example.com:8080/"],
])("%s is recognised as %s", (named, resource) => expect(gateUrl(named)).toEqual([{ action: "fetch", resource }]));

test.each([
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com/",
  "data:text/html,x",
  "javascript:alert(1)",
  "//example.com/",
  "example.com",
  "https://",
  "https://user@example.com/",
  "https://@example.com/",
  "https://user:pass@example.com/",
  "https:user:pass@example.com/",
  "https:/user@example.com/",
  "https:///user@example.com/",
  "https://trusted.example@evil.example/",
  "https://example.com\\@evil.example/",
  "https://example.com/\n",
  " https://example.com/",
  "https://exa\u200bmple.com/",
  "https://example.com:22/",
  "http://example.com:25/",
  "http://localhost/",
  "http://localhost./",
  "http://LOCALHOST:3000/",
  "http://a.localhost/",
  "http://localhost6/",
  "http://ip6-localhost/",
  "http://router/",
  "http://metadata/",
  "http://metadata.goog/",
  "http://kubernetes.default.svc/",
  "http://a.test/",
  "http://a.onion/",
  "http://127.0.0.1.nip.io/",
  "http://localtest.me/",
  "http://.example.com/",
  "http://example..com/",
  "http://*.example.com/",
  "https://exa\u00admple.com/",
  "http://example.com:6379/",
  "http://example.com:2375/",
  "http://0127.0.0.1/",
  "http://printer.local/",
  "http://metadata.google.internal/",
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://0/",
  "http://0.0.0.0/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://100.64.0.1/",
  "http://100.100.100.200/latest/meta-data/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://2852039166/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
  "http://[::1]/",
  "http://[::]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[64:ff9b:1::a9fe:a9fe]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:a9fe:a9fe::]/",
  "http://[2001::1]/",
  "http://[2001:db8::1]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/",
  "http://[ff02::1]/",
  "http://[100::1]/",
])("%j is refused", (named) => expect(gateUrl(named)).toHaveProperty("refused"));

test.each(["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "[2606:4700:4700::1111]"])("%s is public", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

test.each(["", "x", "example.com", "127.0.0.1%eth0", "fe80::1%eth0", "1.1.1.1.1"])("%j is not a public address", (address) =>
  expect(isPublicAddress(address)).toBe(false),
);

test("an address that contains much text asks", () =>
  expect(gateUrl(`https://example.com/?${"a".repeat(201)}`)).toMatchObject([{ floor: { effect: "ask", once: true } }]));

test("the proposed grant for an address is for its host", () => {
  expect(hostRuleOf("https://example.com:8443/a/b")).toBe("https://example.com:8443/*");
});

test("a call follows redirects on the same host unless denied, and elsewhere only if rules allow it", () => {
  const rules: Record<string, "allow" | "deny"> = { "https://b.example/": "allow", "https://a.example/no": "deny" };
  const mayGo = addressChecker([{ action: "fetch", resource: "https://a.example/x" }], (resource) => rules[resource] ?? "ask");
  expect(mayGo("https://a.example/x")).toHaveProperty("url");
  expect(mayGo("https://a.example/y?q=1")).toHaveProperty("url");
  expect(mayGo("https://b.example/")).toHaveProperty("url");
  expect(mayGo("https://a.example/no")).toHaveProperty("refused");
  expect(mayGo("http://a.example/x")).toHaveProperty("refused");
  expect(mayGo("https://a.example:8443/x")).toHaveProperty("refused");
  expect(mayGo("https://a.example.evil.example/x")).toEqual({
    refused: "That address was not allowed. Call fetch_url with https://a.example.evil.example/x to have it judged.",
  });
});
