import { expect, test } from "vitest";
import { staysOnHost } from "./url-host-wildcard.ts";

test.each([
  ["curl http://localhost*", "curl http://localhost", true],
  ["curl http://localhost*", "curl http://localhost:3000/a?b=c", true],
  ["curl http://localhost*", "curl http://LOCALHOST/a", true],
  ["curl http://localhost*", "curl -H 'Origin: https://app.example.com' http://localhost/a", true],
  ["curl http://localhost*", "curl http://localhost.example.com", false],
  ["curl http://localhost*", "curl http://localhost:80@example.com", false],
  ["curl http://localhost*", "curl http://localhost:$PORT/a", false],
  ["curl http://localhost*", "curl http://localhost http://localhost.example.com", false],
  ["curl http://localhost:3*", "curl http://localhost:3000/a", true],
  ["curl http://localhost:3*", "curl http://localhost:3.example.com", false],
  ["curl http://127.0.0.*", "curl http://127.0.0.1:80/", true],
  ["curl http://127.0.0.*", "curl http://127.0.0.dev/", false],
  ["curl https://api-*", "curl https://api-1/x", true],
  ["curl https://api-*", "curl https://api-1.example.com/x", false],
  ["https://*.example.com/*", "https://a.b.example.com/c", true],
  ["https://*.example.com*", "https://a.example.com.evil.com/c", false],
  ["https://*.example.com/*", "https://evil.com/.example.com/c", false],
  ["https://*/a", "https://example.com/a", true],
  ["https://*", "https://example.com/a", true],
  ["curl -s localhost:*", "curl -s localhost:3000/a", true],
  ["curl localhost*", "curl localhost.example.com", false],
  ["curl 127.0.0.1*", "curl 127.0.0.1.example.com", false],
  ["ls local*", "ls localhost.txt", true],
  ["curl *", "curl https://example.com/a", true],
])("with the rule %s the text %s stays on the host: %s", (pattern, text, stays) => expect(staysOnHost(pattern, text)).toBe(stays));
