/** Stands for a secret in a text that leaves this machine. */
const MASK = "‹masked›";

/** A pattern whose group `secret` is masked, or the whole match if it has no such group. */
type SecretPattern = { name: string; pattern: RegExp };

/** Names of values that are secrets, such as `api_key`, `clientSecret` or `DB_PASSWORD`. */
const SECRET_NAME =
  "[\\w.-]{0,40}(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|credentials?)[\\w.-]{0,40}";

/** Before a line of a file: the marker of a diff, or the number of the line. */
const LINE_START = "^(?:[+-]|[ \\t]*\\d+[|:\\t→] ?)?[ \\t]*";

/** The shapes of common secrets. Earlier patterns win. */
const patterns: readonly SecretPattern[] = [
  {
    name: "private key",
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$(?![^]))/g,
  },
  {
    name: "authorization header",
    pattern: /\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest)\s+)?(?<secret>[^\s"'\\,]{4,})/gi,
  },
  { name: "cookie or key header", pattern: /\b(?:set-cookie|cookie|x-api-key|x-auth-token)["']?\s*:\s*["']?(?<secret>[^\n"'\\]{4,})/gi },
  { name: "bearer token", pattern: /\bbearer\s+(?<secret>[\w.~+/=-]{16,})/gi },
  { name: "JSON web token", pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  { name: "key of a model provider", pattern: /\b(?:sk|gsk|xai|r8|pplx|csk|fw)[-_](?:[a-z]+[-_])*[\w-]{16,}/g },
  { name: "key of GitHub or GitLab", pattern: /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{16,})/g },
  { name: "key of AWS", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { name: "key of Google", pattern: /\b(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g },
  { name: "key of Slack", pattern: /\b(?:xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,})/g },
  {
    name: "key of another service",
    pattern:
      /\b(?:npm_\w{30,}|hf_\w{20,}|pypi-[\w-]{40,}|dop_v1_\w{40,}|SG\.[\w-]{16,}\.[\w-]{16,}|[rs]k_(?:live|test)_\w{16,}|whsec_\w{16,})/g,
  },
  { name: "password in an address", pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]*:(?<secret>[^\s/@]+)@/gi },
  {
    name: "value of a secret in quotes",
    pattern: new RegExp(`\\b${SECRET_NAME}["']?\\s*[:=]\\s*(?<quote>["'\`])(?<secret>[^"'\`\\n]{4,})\\k<quote>`, "gi"),
  },
  {
    name: "value of a secret",
    pattern: new RegExp(`\\b${SECRET_NAME}["']?\\s*[:=]\\s*(?<secret>(?=[^\\s"'\`,;(){}]*\\d)[^\\s"'\`,;(){}]{8,})`, "gi"),
  },
  {
    name: "line of a .env file",
    pattern: new RegExp(
      `${LINE_START}(?:export[ \\t]+)?[A-Z][A-Z0-9_]+[ \\t]*=[ \\t]*(?<secret>(?!(?:true|false|\\d{1,5})?[ \\t]*$)[^\\s][^\\n]*?)[ \\t]*$`,
      "gm",
    ),
  },
];

/** A text without its secrets, and how many there were. */
export type MaskedText = { text: string; count: number };

/** Masks API keys, tokens, passwords, private keys and the values of `.env` lines. It may mask too much, and no pattern finds every secret. */
export function maskSecrets(text: string): MaskedText {
  let count = 0;
  let masked = text;
  for (const { pattern } of patterns)
    masked = masked.replace(pattern, (match: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const secret = typeof groups === "object" && groups !== null ? (groups as { secret?: string }).secret : undefined; // of the pattern above
      const hidden = secret ?? match;
      if (hidden.includes(MASK)) return match;
      count++;
      const at = match.lastIndexOf(hidden);
      return match.slice(0, at) + MASK + match.slice(at + hidden.length);
    });
  return { text: masked, count };
}
