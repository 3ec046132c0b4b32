import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parse, type ParseError } from "jsonc-parser";
import { jsonErrorMessage } from "../json-error-message.ts";
import { positionAt, type ConfigDiagnostic } from "../load-config.ts";
import { parseLanguageServers, type ForeignLanguageServer } from "../parse-language-servers.ts";
import { fileStamp } from "../watch-file.ts";

type Read = { stamp: string; servers: Readonly<Record<string, ForeignLanguageServer>>; diagnostics: readonly ConfigDiagnostic[] };

/** The language servers in the `.lsp.json` of a project. */
export type ProjectLanguageServers = {
  /** The current servers. The file is read again when it has changed. */
  of: (workspace: string) => Readonly<Record<string, ForeignLanguageServer>>;
  /** The problems of the files that have been read. */
  diagnostics: () => ConfigDiagnostic[];
};

const MAX_BYTES = 1_000_000;

export function openProjectLanguageServers(): ProjectLanguageServers {
  const known = new Map<string, Read>();
  return {
    of(workspace) {
      const file = path.join(workspace, ".lsp.json");
      const stamp = fileStamp(file);
      const before = known.get(file);
      if (stamp !== undefined && before?.stamp === stamp) return before.servers;
      known.delete(file);
      if (stamp === undefined || statSync(file).size > MAX_BYTES) return {};
      const read = { stamp, ...serversIn(readFileSync(file, "utf8"), file) };
      known.set(file, read);
      return read.servers;
    },
    diagnostics: () => [...known.values()].flatMap(({ diagnostics }) => diagnostics),
  };
}

function serversIn(text: string, file: string): Omit<Read, "stamp"> {
  const diagnostic = (offset: number, message: string): ConfigDiagnostic => ({
    file,
    ...positionAt(text, offset),
    severity: "warning",
    message,
  });
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors; // later errors usually follow from the first
  if (first) return { servers: {}, diagnostics: [diagnostic(first.offset, `${jsonErrorMessage(first)}, so the file has no effect.`)] };
  const { servers, leftOut } = parseLanguageServers(value);
  const diagnostics = leftOut.map(({ name, reason }) =>
    name === undefined
      ? diagnostic(0, reason)
      : diagnostic(Math.max(0, text.indexOf(JSON.stringify(name))), `The language server ${JSON.stringify(name)} is left out: ${reason}`),
  );
  return { servers, diagnostics };
}
