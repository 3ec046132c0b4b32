import { expect, test } from "vitest";
import { openPlaceholders, type Secret } from "./placeholders.ts";

const secret: Secret = {
  name: "API_TOKEN",
  value: "the-real-value",
  hosts: ["api.example.com", "*.wild.example.com", "odd.example.com:8443"],
};

test("only the named hosts receive a secret, and none without TLS", () => {
  const { exchangeFor } = openPlaceholders(() => [secret]);
  const receives = (host: string, port: number) => exchangeFor({ host, port }) !== undefined;
  expect([receives("api.example.com", 443), receives("a.wild.example.com", 443), receives("odd.example.com", 8443)]).toEqual([
    true,
    true,
    true,
  ]);
  const others = [
    ["api.example.com", 80],
    ["api.example.com", 8443],
    ["odd.example.com", 443],
    ["wild.example.com", 443],
    ["api.example.com.evil.com", 443],
    ["xapi.example.com", 443],
    ["example.com", 443],
    ["93.184.216.34", 443],
  ] as const;
  expect(others.filter(([host, port]) => receives(host, port))).toEqual([]);
});

test("a placeholder is filled in plain and in base64, and belongs to one network", () => {
  const [one, two] = [openPlaceholders(() => [secret]), openPlaceholders(() => [secret])];
  const { API_TOKEN: placeholder = "" } = one.env();
  expect(placeholder).not.toContain(secret.value);
  const fill = one.exchangeFor({ host: "api.example.com", port: 443 })?.fill ?? String;
  expect(fill(`Bearer ${placeholder}`)).toBe("Bearer the-real-value");
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  expect(fill(basic(`user:${placeholder}`))).toBe(basic("user:the-real-value"));
  expect(fill(basic("user:pass"))).toBe(basic("user:pass"));
  expect(fill("Basic !!!")).toBe("Basic !!!");
  expect(fill(`Bearer ${two.env()["API_TOKEN"]}`)).not.toContain("the-real-value");
});

test("a secret that left the settings is no longer filled in", () => {
  let secrets = [secret];
  const { env, exchangeFor } = openPlaceholders(() => secrets);
  expect(Object.keys(env())).toEqual(["API_TOKEN"]);
  secrets = [];
  expect([env(), exchangeFor({ host: "api.example.com", port: 443 })]).toEqual([{}, undefined]);
});
