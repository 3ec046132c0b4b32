import { KEY_FILES } from "@baton/core/permission/rule-layers";
import { readText } from "./path-on-disk.ts";

/** A character in the place of bytes that are not UTF-8. Node cannot open a file under such a name, and other programs can. */
export const NOT_TEXT = "\ufffd";
const SECRET = new RegExp(String.raw`^\.env([-._~](?!(.*[-._])?(example|sample|template)$).*)?$|\.env$|\.ppk$|${NOT_TEXT}`);
const KEY = new RegExp(
  `(${KEY_FILES.map((key) => key.replaceAll(".", "\\.").replace(/^\*?/, (any) => (any ? "" : "(^|/)"))).join("|")})(\\.(bak|old|orig|save)|[~-])?$`,
);

/** True if the name of a path looks like a file with secrets, in any folder. */
export const isSecretName = (file: string): boolean => /\.env/.test(nameOf(file)) || KEY.test(file);

/** The same check for an existing file. It is stricter, so a name that only sounds like a secret does not count. */
export const isSecretFile = (file: string): boolean => SECRET.test(nameOf(file)) || KEY.test(file);

/** Settings that hold a password or a token only if somebody wrote one into them. Git stores the address of a clone with its token. */
export const SETTINGS = /(^|\/)(([\w.-]*\.git|\.git\/modules\/.+)\/config(\.worktree)?|\.gitconfig|\.npmrc|\.yarnrc\.yml)$/;
const TOKEN = /\w:\/\/([^\s/@:]*:[^\s/@]+|[^\s/@:]{20,})@|(auth|authToken|password|extraheader)["']?\s*[=:]\s*(?!["']?\$\{)["'\w]/i;

/** True if the file is one of these and holds a password or a token. */
export const holdsToken = (file: string): boolean => SETTINGS.test(file) && TOKEN.test(readText(file) ?? "");

/** True for a file with keys by its name or its content. `passesKeys`: private keys do not count. */
export const holdsKeys = (file: string, passesKeys = false): boolean =>
  isSecretFile(file) ||
  holdsToken(file) ||
  (!passesKeys && /\.(pem|key)(\.(bak|old|orig))?$/i.test(file) && /PRIVATE KEY-----/.test(readText(file) ?? ""));

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);
