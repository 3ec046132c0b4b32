import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";

/** Issues certificates for hosts. Its key never leaves the memory of this process. */
export type CertificateAuthority = {
  /** Its own certificate, as PEM. */
  certificate: string;
  /** A certificate for a host with its key, as PEM. */
  issue: (host: string) => Promise<{ cert: string; key: string }>;
  /** The same for a server. It is kept. */
  contextFor: (host: string) => Promise<SecureContext>;
};

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
/** A daemon may run for months. Some programs refuse certificates of more than 825 days. */
const VALID_DAYS = 800;

/** Creates an authority. The library is loaded with the first use, because few users have secrets for commands. */
export async function createAuthority(): Promise<CertificateAuthority> {
  await import("reflect-metadata"); // x509 needs it
  const x509 = await import("@peculiar/x509");
  const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const dates = () => ({ notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS) });
  const keys = await newKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Baton sandbox",
    keys,
    signingAlgorithm: ALGORITHM,
    ...dates(),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const certificate = own.toString("pem");

  const issue = async (host: string) => {
    const leaf = await newKeys();
    const cert = await x509.X509CertificateGenerator.create({
      subject: "CN=Baton sandbox host",
      issuer: own.subject,
      publicKey: leaf.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...dates(),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? "dns" : "ip", value: host }]),
        await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const key = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", leaf.privateKey)).toString("base64");
    return {
      cert: cert.toString("pem"),
      key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`,
    };
  };

  const contexts = new Map<string, Promise<SecureContext>>();
  return {
    certificate,
    issue,
    contextFor(host) {
      const known =
        contexts.get(host) ?? issue(host).then(({ cert, key }) => createSecureContext({ cert: `${cert}\n${certificate}`, key }));
      contexts.set(host, known);
      return known;
    },
  };
}
