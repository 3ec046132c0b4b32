import { memo, startTransition, Suspense, useEffect, useId, useState, type ComponentProps, type MouseEvent } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { sanitize, escapeInvisible } from "@baton/core/text/sanitize";
import { runDetached } from "@baton/core/client/run-detached";
import { CodeBlock } from "./code-block.tsx";
import { githubMarkdown } from "./github-markdown.ts";
import { hasMath, withDollars } from "./has-math.ts";
import { splitBlocks } from "./split-blocks.ts";
import { lazyComponent } from "../lazy-component.tsx";

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
  const blocks = splitBlocks(text, growing);
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

const Block = memo(function Block({ text: given, growing, approved }: Required<Props>) {
  const clobberPrefix = `${useId()}-`; // footnotes of two texts must not share an id
  const text = approved ? given : withDollars(given);
  const plugins = usePlugins(!approved && !growing && hasMath(text));
  return (
    <ReactMarkdown remarkPlugins={plugins} remarkRehypeOptions={{ clobberPrefix }} components={growing ? GROWING : SETTLED}>
      {approved ? escapeInvisible(text) : sanitize(text)}
    </ReactMarkdown>
  );
});

const PLUGINS = [githubMarkdown];

/** The Markdown extensions. Those for formulas load when the first formula occurs. */
function usePlugins(math: boolean): (typeof githubMarkdown)[] {
  const [plugins, setPlugins] = useState(PLUGINS);
  useEffect(() => {
    let isCurrent = true;
    if (math)
      runDetached(
        import("./math-markdown.ts").then(({ mathMarkdown }) => isCurrent && setPlugins([githubMarkdown, mathMarkdown])),
        () => undefined, // formulas then stay as they are written
      );
    return () => void (isCurrent = false);
  }, [math]);
  return math ? plugins : PLUGINS;
}

const Diagram = lazyComponent(async () => (await import("./diagram/diagram.tsx")).Diagram);
const Formula = lazyComponent(async () => (await import("./formula.tsx")).Formula);

const markdownComponents = (growing: boolean): Components => ({
  a: Link,
  img: ({ alt, src }) => <Link href={typeof src === "string" ? src : undefined}>{`image${alt ? `: ${alt}` : ""}`}</Link>,
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = typeof children === "string" ? children : "";
    const math = /\bmath-(inline|display)\b/.exec(className ?? "")?.[1];
    if (math !== undefined)
      return (
        <Suspense fallback={<code>{children}</code>}>
          <Formula text={text} display={math === "display"} />
        </Suspense>
      );
    if (!text.endsWith("\n") && className === undefined) return <code>{children}</code>;
    if (className === "language-mermaid" && !growing) {
      const source = text.replace(/\n$/, "");
      return (
        <Suspense fallback={<CodeBlock text={source} language="mermaid" />}>
          <Diagram text={source} />
        </Suspense>
      );
    }
    return <CodeBlock text={text.replace(/\n$/, "")} language={/language-(\S+)/.exec(className ?? "")?.[1]} growing={growing} />;
  },
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children, className, id }) => (
    <li dir="auto" className={className} id={id}>
      {children}
    </li>
  ),
  td: ({ children, style }) => (
    <td dir="auto" style={style}>
      {children}
    </td>
  ),
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(4),
  h6: heading(4),
  table: ({ children }) => (
    <div className="wrapx" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <input type="checkbox" disabled checked={checked === true} aria-label={checked ? "done" : "open"} />,
});

/** A heading of a text. The levels differ only in size, because a text may skip levels. The label of the footnotes has an id. */
function heading(level: number) {
  return function Heading({ children, id }: ComponentProps<"h2">) {
    return (
      <h2 dir="auto" id={id} className={id === undefined ? `h${level}` : "vh"}>
        {children}
      </h2>
    );
  };
}

/** A link. Its host is shown next to it, unless the text contains the host. */
function Link({ href, children, id, "aria-label": label }: ComponentProps<"a">) {
  const host = linkHost(href);
  if (href?.startsWith("#"))
    return (
      <a href={href} id={id} aria-label={label} onClick={goToFootnote}>
        {children}
      </a>
    );
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

/** The address of the page names the session, so a footnote must not change it. */
function goToFootnote(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const target = document.getElementById(decodeURIComponent(event.currentTarget.hash.slice(1)));
  target?.scrollIntoView({ block: "center" });
  target?.closest<HTMLElement>("a, li")?.focus();
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
