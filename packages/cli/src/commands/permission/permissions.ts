import { omitUndefined } from "@baton/core/text/omit-undefined";
import { readFileSync } from "node:fs";
import path from "node:path";
import { multiCommandRuleProblem } from "@baton/core/permission/shell-preamble";
import { limitingPart } from "@baton/core/permission/rule-layers";
import type { AccessVerdict, SourcedRule } from "@baton/core/protocol/rule";
import { shownVerdicts } from "@baton/core/text/request/request-reason";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { ruleText } from "@baton/core/text/rule-text";
import { fitToWidth, hangingIndent, contentWidth, type TerminalStyle } from "../../render/layout.ts";
import { ruleWithSource } from "../../render/request/request.ts";
import { resolveById } from "../../connection/find-by-id.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Lists the rules in order (the last match decides), then the ceilings. */
export async function listRules({ mode, cwd, json = false }: { mode?: string; cwd?: string; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const folder = cwd ?? process.cwd();
    const { mode: slug } = await api.daemon.tools.query({ cwd: folder, ...omitUndefined({ mode }) });
    const [{ rules, ceilings }, colors] = await Promise.all([
      api.permission.rules.query({ mode: slug, cwd: folder }),
      fetchModeColors(api),
    ]);
    if (json) return printJson({ mode: slug, rules: strongestFirst(rules, ceilings) });
    const style = terminalStyle(process.stdout, colors);
    printLines([
      `Rules in ${style.ansi.mode(slug)}, in config order. The last match decides.`,
      ...rules.flatMap((rule) => ruleLines(rule, style)),
      ...ceilingLines(ceilings.map(limitingPart), style),
    ]);
  });
}

/** Ceilings and rules as one list, strongest first, for scripts. */
const strongestFirst = (rules: readonly SourcedRule[], ceilings: readonly (readonly SourcedRule[])[]): SourcedRule[] => [
  ...ceilings.flatMap((ceiling) => ceiling.toReversed()),
  ...rules.toReversed(),
];

/** The ceilings. Each list can deny or ask, or leave the verdict as it is. */
function ceilingLines(ceilings: readonly (readonly SourcedRule[])[], style: TerminalStyle): string[] {
  const lists = ceilings.filter(({ length }) => length > 0);
  if (lists.length === 0) return [];
  return [
    "",
    ...hangingIndent(
      "Ceilings. In each list the last match decides; a ceiling can only make the verdict stricter.",
      "",
      contentWidth(style),
    ),
    ...lists.flatMap((rules, i) => [
      ...(i === 0 ? [] : [""]),
      ...rules.flatMap((rule) => ruleLines(rule, style, rule.effect === "allow" ? "· leave" : undefined)),
    ]),
  ];
}

function ruleLines(rule: SourcedRule, style: TerminalStyle, mark: string = effectMark(rule.effect, style)): string[] {
  const line = hangingIndent(`${ruleText(rule)} ${style.ansi.dim(`· ${rule.layer}, ${rule.source}`)}`, `  ${mark} `, contentWidth(style));
  const problem = multiCommandRuleProblem(rule);
  return problem === undefined ? line : [...line, ...hangingIndent(`never applies. ${problem}`, "          ! ", contentWidth(style))];
}

function effectMark(effect: SourcedRule["effect"], { ansi }: TerminalStyle): string {
  switch (effect) {
    case "allow":
      return "✓ allow";
    case "ask":
      return `${ansi.attention("◆ ask")}  `;
    case "deny":
      return "– deny ";
  }
}

/** Lists the rules that the user granted for this workspace. */
export async function listGrants({ cwd, json = false }: { cwd?: string; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const grants = await api.permission.grants.query({ cwd: cwd ?? process.cwd() });
    if (json) return printJson(grants);
    const style = terminalStyle();
    if (grants.length === 0) return printLines(["This workspace has no grants."]);
    printLines(
      grants.flatMap(({ id, rule, scope, givenAt }) => [
        ...hangingIndent(
          `${ruleText(rule)} ${style.ansi.dim(`· ${scope}, ${new Date(givenAt).toLocaleDateString("en-CA")}`)}`,
          "  ✓ ",
          contentWidth(style),
        ),
        `    ${style.ansi.dim(id)}`,
      ]),
    );
  });
}

/** Takes a grant back. */
export async function revokeGrant(reference: string, { cwd, json = false }: { cwd?: string; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const folder = cwd ?? process.cwd();
    const grants = await api.permission.grants.query({ cwd: folder });
    const { id: grantId } = resolveById(reference, grants, {
      one: "grant",
      where: "`baton permissions grants` lists the grants of this folder.",
    });
    const { revoked } = await api.permission.revoke.mutate({ cwd: folder, grantId });
    if (json) printJson({ revoked });
    else printLines([`Revoked: ${ruleText(revoked.rule)}.`]);
  });
}

/** Converts the rules of another agent, and reports what cannot be converted. */
export async function importRules(file: string, options: { write?: boolean; everywhere?: boolean; json?: boolean }): Promise<void> {
  const { write = false, everywhere = false, json = false } = options;
  const text = readFile(file);
  await withConnection(async ({ api }) => {
    const { imported, written } = await api.permission.import.mutate({ text, file: path.resolve(file), everywhere, write });
    if (!imported) throw usageError(`${file} has no permissions of opencode, Kilo or Claude Code.`);
    if (json) return printJson({ ...imported, written });
    const style = terminalStyle();
    const placed = imported.rules.map((rule): SourcedRule => ({ ...rule, layer: "user", source: imported.format }));
    printLines([
      ...placed.flatMap((rule) => ruleLines(rule, style)),
      ...imported.notes.flatMap((note) => hangingIndent(note, "  ! ", contentWidth(style))),
    ]);
    if (written) printLines(["Added to your config, before your own rules."]);
    else if (write)
      throw new CommandExit("The permissions in your config are a table. Change them to a list, then import again.", EXIT_CODES.usage);
    else printLines(["Nothing was written. --write adds them to your config."]);
  });
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw usageError(`${file} cannot be read. Name a config file of opencode, Kilo or Claude Code.`);
  }
}

type Verdict = { effect: SourcedRule["effect"]; accesses: readonly AccessVerdict[]; why: string };

/** Prints one verdict of `check`. */
export function printVerdict({ effect, accesses, why }: Verdict): void {
  const style = terminalStyle();
  const lines = shownVerdicts(accesses).flatMap((access) => {
    const reason = access.rule ? ruleWithSource(access.rule, style) : "no rule matches";
    return [
      ...hangingIndent(
        escapeInvisible(access.resource),
        `  ${effectMark(access.effect, style)} ${fitToWidth(access.action, 10)} `,
        contentWidth(style),
      ),
      ...hangingIndent(style.ansi.dim(reason), " ".repeat(21), contentWidth(style)),
    ];
  });
  printLines([`${effectMark(effect, style).trim()}: ${escapeInvisible(why)}`, ...lines]);
}
