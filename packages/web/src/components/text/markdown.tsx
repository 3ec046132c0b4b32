import { memo, startTransition, useEffect, useState, type ComponentProps } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { sanitize, escapeInvisible } from "@baton/core/text/sanitize";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { runDetached } from "@baton/core/client/run-detached";
import type { Token } from "./highlight.ts";

/** Fields of the Markdown processor that extensions use. */
type Extensions = { [name: string]: unknown; micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };

/**
 * Adds tables, task lists, footnotes and bare links. The package `remark-gfm` would also bring a Markdown writer, which the
 * page does not use.
 */
function githubMarkdown(this: { data: () => object }): void {
  const data: Extensions = this.data() as Extensions; // the parser reads these fields
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}

type Props = {
  text: string;
  /** Whether the text grows at its end. */
  growing?: boolean;
  /** Whether the user approves this text: invisible characters are shown by their code. */
  approved?: boolean;
};

/** The number of blocks that are drawn at once. */
const AT_ONCE = 40;

/** Text of a model: Markdown without HTML and remote images. Links show their target. */
export const Markdown = memo(function Markdown({ text, growing = false, approved = false }: Props) {
  const blocks = splitBlocks(text);
  const [all, setAll] = useState(growing || approved || blocks.length <= AT_ONCE);
  useEffect(() => startTransition(() => setAll(true)), []);
  return (
    <>
      {(all ? blocks : blocks.slice(0, AT_ONCE)).map((block, i) =>
        growing && i === blocks.length - 1 && block.length > LONG ? (
          <Endless key={i} text={block} />
        ) : (
          <Block key={i} text={block} growing={growing && i === blocks.length - 1} approved={approved} />
        ),
      )}
    </>
  );
});

/** Markdown for one line, such as a heading: only emphasis, code and links. */
export const InlineMarkdown = ({ text }: { text: string }) => (
  <ReactMarkdown remarkPlugins={PLUGINS} components={SETTLED} allowedElements={INLINE} unwrapDisallowed>
    {sanitize(text)}
  </ReactMarkdown>
);

const INLINE = ["strong", "em", "del", "code", "a"];

/**
 * A growing block above this size is not parsed as Markdown until it is complete, because parsing it again for each word is
 * too slow.
 */
const LONG = 6_000;
const SLICE = 2_000;

/** A long growing block as plain text in slices, of which only the last one changes. */
function Endless({ text }: { text: string }) {
  const slices = Array.from({ length: Math.ceil(text.length / SLICE) }, (_, i) => text.slice(i * SLICE, (i + 1) * SLICE));
  return (
    <p className="endless">
      {slices.map((slice, i) => (
        <Slice key={i} text={slice} />
      ))}
    </p>
  );
}

const Slice = memo(({ text }: { text: string }) => <span>{sanitize(text)}</span>);

const Block = memo(function Block({ text, growing, approved }: Required<Props>) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={growing ? GROWING : SETTLED}>
      {approved ? escapeInvisible(text) : sanitize(text)}
    </ReactMarkdown>
  );
});

const PLUGINS = [githubMarkdown];

const markdownComponents = (growing: boolean): Components => ({
  a: Link,
  img: ({ alt, src }) => <Link href={typeof src === "string" ? src : undefined}>{`image${alt ? `: ${alt}` : ""}`}</Link>,
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = typeof children === "string" ? children : "";
    if (!text.endsWith("\n") && className === undefined) return <code>{children}</code>;
    return <HighlightedCode text={text.replace(/\n$/, "")} language={/language-(\S+)/.exec(className ?? "")?.[1]} growing={growing} />;
  },
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  table: ({ children }) => (
    <div className="wrapx" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span>{checked ? "[x] " : "[ ] "}</span>,
});

function Heading({ children }: ComponentProps<"h2">) {
  return <h2>{children}</h2>;
}

/** A link. Its host is shown next to it, unless the text contains the host. */
function Link({ href, children }: ComponentProps<"a">) {
  const host = linkHost(href);
  if (host === undefined) return <span>{children}</span>;
  const hasHost = typeof children === "string" && children.includes(host);
  return (
    <>
      <a href={href} target="_blank" rel="noreferrer noopener" title={href}>
        {children}
      </a>
      {hasHost ? "" : <span className="dim"> ({host})</span>}
    </>
  );
}

function linkHost(href: string | undefined): string | undefined {
  if (href === undefined || !/^(https?|mailto):/i.test(href)) return undefined;
  try {
    const url = new URL(href);
    return url.host || url.pathname;
  } catch {
    return undefined; // an invalid address is not a link
  }
}

const SETTLED = markdownComponents(false);
const GROWING = markdownComponents(true);

const LARGEST = 50_000;

/** A code block, highlighted if its language is known and it is complete. */
function HighlightedCode({ text, language, growing = false }: { text: string; language: string | undefined; growing?: boolean }) {
  const [tokens, setTokens] = useState<Token[]>();
  useEffect(() => {
    let isCurrent = true;
    setTokens(undefined);
    if (language !== undefined && !growing && text.length < LARGEST)
      runDetached(
        import("./highlight.ts").then(({ highlightTokens }) => isCurrent && setTokens(highlightTokens(text, language))),
        () => undefined, // without colours then
      );
    return () => void (isCurrent = false);
  }, [text, language, growing]);
  return (
    <pre tabIndex={0}>
      <code>
        {tokens?.map(({ text: part, kind }, i) => (kind === undefined ? part : <span key={i} className={`c-${kind}`} children={part} />)) ??
          text}
      </code>
    </pre>
  );
}

/**
 * Splits Markdown into blocks, so that a growing text redraws only its last block. A fence is one block; otherwise an empty
 * line separates blocks, except in lists and indented text. Joined by line breaks, the blocks are the text.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  let blank = false;
  for (const line of text.split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && blank && line.trim() !== "" && !CONTINUES.test(line)) {
      blocks.push(block.join("\n"));
      block = [];
    }
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    blank = fence === undefined && line.trim() === "";
    block.push(line);
  }
  return [...blocks, block.join("\n")];
}

/** A list item, indented text, or a definition: it may belong to the block above. */
const CONTINUES = /^(\s+|[-*+]\s|\d+[.)]\s|\[[^\]]+\]:)/;
