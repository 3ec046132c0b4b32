import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { comparesCursor, isRecorded, RECORDED, recordOf, vimCases, type VimCase, type VimResult } from "./cases.ts";
import { runCase } from "./run-case.ts";

/**
 * Runs every case in the real vim (Debian: `apt-get install vim`), prints where Baton differs, and writes a part of the results for the
 * unit test. Usage: npm run pnpm -- --filter @baton/cli vim
 */
const SCRIPT = `
set nocompatible encoding=utf-8 noautoindent nojoinspaces virtualedit= backspace= startofline undolevels=1000
let s:results = []
for s:case in json_decode(join(readfile(s:folder . '/cases.json'), "\\n"))
  enew!
  call setline(1, s:case.lines)
  let &undolevels = &undolevels
  call cursor(s:case.line, s:case.column)
  call setreg('"', [])
  let s:tick = b:changedtick
  for s:step in s:case.steps
    if s:step =~ '[.u]$' && b:changedtick == s:tick
      continue
    endif
    silent! exe 'normal! ' . s:step
    let &undolevels = &undolevels
  endfor
  call add(s:results, [join(getline(1, '$'), "\\n"), line('.'), col('.')])
endfor
call writefile([json_encode(s:results)], s:folder . '/results.json')
qa!
`;

const bytes = (text: string): number => Buffer.byteLength(text);

/** The results of real vim, which counts columns in bytes. */
function runVim(cases: readonly VimCase[]): VimResult[] {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-vim-"));
  try {
    const inputs = cases.map(({ text, cursor, steps }) => {
      const before = text.slice(0, cursor).split("\n");
      return { lines: text.split("\n"), line: before.length, column: bytes(before.at(-1) ?? "") + 1, steps };
    });
    writeFileSync(path.join(folder, "cases.json"), JSON.stringify(inputs));
    writeFileSync(path.join(folder, "script.vim"), `let s:folder = '${folder}'\n${SCRIPT}`);
    spawnSync("vim", ["-es", "-u", "NONE", "-i", "NONE", "-n", "-S", path.join(folder, "script.vim")], { timeout: 300_000 });
    const results = JSON.parse(readFileSync(path.join(folder, "results.json"), "utf8")) as [string, number, number][];
    return results.map(([text, line, column]) => {
      const lines = text.split("\n");
      const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
      const inLine = Buffer.from(lines[line - 1] ?? "")
        .subarray(0, column - 1)
        .toString("utf8").length;
      return [text, start + inLine];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = ([text, cursor]: VimResult): string => JSON.stringify(`${text.slice(0, cursor)}|${text.slice(cursor)}`);

/** Prints the cases in which Baton differs from vim, and their number. */
function compare(cases: readonly VimCase[], results: readonly VimResult[]): number {
  const different = cases.flatMap((each, i) => {
    const wanted = results[i] ?? (["", 0] as const);
    const got = runCase(each);
    const isSame = wanted[0] === got[0] && (!comparesCursor(each) || wanted[1] === got[1]);
    return isSame ? [] : [`${shown([each.text, each.cursor])} ${JSON.stringify(each.steps)}: vim ${shown(wanted)}, Baton ${shown(got)}`];
  });
  for (const line of different) console.log(line);
  return different.length;
}

const cases = vimCases();
const results = runVim(cases);
const count = compare(cases, results);
console.log(`${cases.length} cases, ${count} different`);
const records = cases.map((each, i) => recordOf(each, results[i] ?? ["", 0])).filter((_, i) => isRecorded(i));
writeFileSync(RECORDED, `${JSON.stringify(records)}\n`);
process.exitCode = count === 0 ? 0 : 1;
