/** The style of an exported session: light and dark, for phones and for paper. It loads nothing. */
export const transcriptCss = `
:root { color-scheme: light dark; --fg: #1c1e21; --bg: #ffffff; --dim: #5f6670; --line: #d9dde2; --soft: #f4f6f8; --add: #1a7f37; --del: #b3261e; --accent: #3949ab; }
@media (prefers-color-scheme: dark) { :root { --fg: #e4e6e9; --bg: #15171a; --dim: #9aa2ad; --line: #343940; --soft: #1e2125; --add: #57c274; --del: #ff8078; --accent: #9fa8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1rem; color: var(--fg); background: var(--bg); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .5rem 0; }
h4 { margin: 1rem 0 .3rem; font-size: 1rem; }
a { color: var(--accent); }
.dim, footer { color: var(--dim); font-size: .875rem; }
article { margin: 1rem 0; }
.prompt { border-left: 3px solid var(--accent); background: var(--soft); border-radius: 4px; padding: .6rem .8rem; white-space: pre-wrap; }
.call { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .35rem .7rem; font-size: .9rem; }
.call summary { cursor: pointer; }
.bad, .del { color: var(--del); }
.add { color: var(--add); }
pre { background: var(--soft); border-radius: 4px; padding: .6rem; overflow-x: auto; white-space: pre-wrap; font-size: .82rem; line-height: 1.45; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
.level1 { margin-left: 1.2rem; } .level2 { margin-left: 2.4rem; } .level3 { margin-left: 3.6rem; } .level4 { margin-left: 4.8rem; }
hr, .note { border: 0; border-top: 1px solid var(--line); margin: 1rem 0; padding-top: .4rem; }
@media print {
  :root { color-scheme: light; --fg: #000; --bg: #fff; --dim: #444; --line: #bbb; --soft: #f4f4f4; --add: #064; --del: #900; --accent: #226; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .call, .prompt { break-inside: avoid-page; }
}
`;
