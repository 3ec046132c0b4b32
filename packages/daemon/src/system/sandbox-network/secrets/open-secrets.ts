import { writeFile } from "node:fs/promises";
import type { Duplex } from "node:stream";
import type { NetworkTarget } from "../network-target.ts";
import { createAuthority, type CertificateAuthority } from "./certificate-authority.ts";
import { fillSecrets } from "./substitute-secrets.ts";
import { openPlaceholders, type Secret } from "./placeholders.ts";
import { trustedCertificates, trustEnv } from "./trusted-certificates.ts";

/** The secrets of one network. */
export type NetworkSecrets = {
  /** The variables of a program, and the files that it must be able to read. Both are empty without secrets. */
  enter: () => Promise<{ env: Record<string, string>; visible: string[] }>;
  /** The connection for a program to a host. It is the same connection if the host receives no secret. */
  through: (socket: Duplex, target: NetworkTarget) => Promise<Duplex>;
};

export type SecretsOptions = {
  /** The secrets of the current settings. */
  secrets: () => readonly Secret[];
  /** The file for the certificates that programs must trust. */
  file: string;
};

/** Secrets that commands use without knowing them. All networks of a daemon share one certificate authority. */
export function openSecrets({ secrets, file }: SecretsOptions): () => NetworkSecrets {
  let authority: Promise<CertificateAuthority> | undefined;
  const ready = (): Promise<CertificateAuthority> =>
    (authority ??= createAuthority()
      .then(async (created) => {
        await writeFile(file, `${[...trustedCertificates(), created.certificate].join("\n")}\n`, { mode: 0o600 });
        return created;
      })
      .catch((error: unknown) => {
        authority = undefined; // the next program tries again
        throw error;
      }));
  return () => {
    const placeholders = openPlaceholders(secrets);
    return {
      async enter() {
        const env = placeholders.env();
        if (Object.keys(env).length === 0) return { env, visible: [] };
        await ready();
        return { env: { ...trustEnv(file), ...env }, visible: [file] };
      },
      async through(socket, target) {
        const exchange = placeholders.exchangeFor(target);
        if (!exchange) return socket;
        const context = await (await ready()).contextFor(target.host);
        return fillSecrets(socket, { target, context, exchange });
      },
    };
  };
}
