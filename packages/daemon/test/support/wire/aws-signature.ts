import { createHash, createHmac } from "node:crypto";
import type { WireSeen } from "./server.ts";

/** Whether a request has the signature (version 4) that AWS would compute with this secret. */
export function isSigned({ url, headers, text }: WireSeen, secret: string): boolean {
  const { scope, names, signature } = partsOf(headers.authorization ?? "");
  const { pathname, searchParams } = new URL(url, "http://any");
  const request = [
    "POST",
    pathname.split("/").map(encodeURIComponent).join("/"), // encoded once more, as all services except S3 require
    searchParams.toString(),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names.join(";"),
    sha256(text),
  ].join("\n");
  const [date = "", region = "", service = ""] = scope.split("/");
  const key = [date, region, service, "aws4_request"].reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  const expected = hmac(key, ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(request)].join("\n")).toString("hex");
  return expected === signature;
}

function partsOf(authorization: string): { scope: string; names: string[]; signature: string } {
  const [, scope = "", names = "", signature = ""] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(authorization) ?? [];
  return { scope, names: names.split(";"), signature };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
