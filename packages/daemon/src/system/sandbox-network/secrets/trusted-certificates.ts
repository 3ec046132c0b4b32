import { getCACertificates } from "node:tls";

/** The certificates that programs on this machine trust, as PEM. */
export const trustedCertificates = (): string[] => [
  ...new Set((["default", "system", "extra"] as const).flatMap((kind) => getCACertificates(kind).map((each) => each.trim()))),
];

/** The variables by which programs find the certificates that they trust. `file` has those of the machine as well. */
export const trustEnv = (file: string): Record<string, string> =>
  Object.fromEntries(
    [
      "SSL_CERT_FILE", // OpenSSL, Go, Python, Ruby
      "NODE_EXTRA_CA_CERTS",
      "CURL_CA_BUNDLE",
      "REQUESTS_CA_BUNDLE", // pip as well
      "GIT_SSL_CAINFO",
      "CARGO_HTTP_CAINFO",
      "DENO_CERT",
      "AWS_CA_BUNDLE",
    ].map((name) => [name, file]),
  );
