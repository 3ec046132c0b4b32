import { expect, test } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

const token = (length: number) => "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3fG4hI5jK6".repeat(4).slice(0, length);
// Assembled from parts, so that no scanner takes the tests for a leak.
const pem = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----\nMIIB${token(40)}\n${token(60)}\n-----END ${kind}PRIVATE KEY-----`;

test.each([
  ["a key of Anthropic", `use sk-ant-api03-${token(40)} now`, "use ‹masked› now"],
  ["a key of OpenAI", `sk-proj-${token(40)}`, "‹masked›"],
  ["a key of Groq", `gsk_${token(40)}`, "‹masked›"],
  ["a key of GitHub", `ghp_${token(36)}`, "‹masked›"],
  ["a fine-grained key of GitHub", `github_pat_${token(60)}`, "‹masked›"],
  ["a key of GitLab", `glpat-${token(20)}`, "‹masked›"],
  ["a key of AWS", `AKIA${"IOSFODNN7EXAMPLE"}`, "‹masked›"],
  ["a key of Google", `AIza${token(35)}`, "‹masked›"],
  ["a key of Slack", `xoxb-123456789012-${token(20)}`, "‹masked›"],
  ["a key of npm", `npm_${token(36)}`, "‹masked›"],
  ["a key of Stripe", `sk_live_${token(24)}`, "‹masked›"],
  ["a JSON web token", `eyJ${token(20)}.eyJ${token(30)}.${token(30)}`, "‹masked›"],
  ["an Authorization header", "Authorization: Bearer abc.def", "Authorization: Bearer ‹masked›"],
  ["basic authorization", `curl -H 'Authorization: Basic dXNlcjpwdw=='`, "curl -H 'Authorization: Basic ‹masked›'"],
  ["authorization in JSON", '{"authorization":"token12345"}', '{"authorization":"‹masked›"}'],
  ["a cookie", "Cookie: session=abcdef; id=1", "Cookie: ‹masked›"],
  ["a bearer token", `bearer ${token(20)}`, "bearer ‹masked›"],
  ["a private key", `before\n${pem("RSA ")}\nafter`, "before\n‹masked›\nafter"],
  ["a private key that is cut off", pem("").slice(0, 80), "‹masked›"],
  ["a password in an address", "postgres://app:hunter2@db/x", "postgres://app:‹masked›@db/x"],
  ["a quoted secret", 'const password = "hunter2!";', 'const password = "‹masked›";'],
  ["a secret in YAML", "client_secret: abc123def456", "client_secret: ‹masked›"],
  ["a line of .env", "DATABASE=shop\nexport GREETING=hello world", "DATABASE=‹masked›\nexport GREETING=‹masked›"],
  ["a line of .env in a diff", "+STRIPE=abc\n-OTHER='x y'", "+STRIPE=‹masked›\n-OTHER=‹masked›"],
  ["a numbered line of .env", "12→STRIPE=abc", "12→STRIPE=‹masked›"],
])("%s is masked", (_, text, expected) => {
  expect(maskSecrets(text).text).toBe(expected);
});

test.each([
  "apiKey: string;",
  "const apiKey = process.env.API_KEY;",
  "if (password === undefined) throw",
  "DEBUG=true\nPORT=3000",
  "the task-runner and the disk-usage-of-everything",
  "https://example.com/a:b@c",
  "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
  "commit 3f9a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a",
])("%j stays as it is", (text) => {
  expect(maskSecrets(text)).toEqual({ text, count: 0 });
});

test("each secret counts once, and masking again changes nothing", () => {
  const text = `A_KEY=sk-ant-api03-${token(40)}\nAuthorization: Bearer ${token(30)}\n${pem("EC ")}`;
  const once = maskSecrets(text);
  expect(once.count).toBe(3);
  expect(maskSecrets(once.text)).toEqual({ text: once.text, count: 0 });
});
