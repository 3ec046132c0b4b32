import { omitUndefined } from "@baton/core/text/omit-undefined";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { SEND_ONCE } from "@baton/core/client/command-client";
import { drawFrame, type TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { createTerminalInputQueue } from "@baton/core/terminal/command-terminal-input";
import { oneLine } from "@baton/core/text/sanitize";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../../../store/app-context.ts";
import { terminalTheme, toNearestPaletteColors } from "./colors.ts";
import { withoutStyleElements } from "./without-style-elements.ts";

const SCROLLBACK = 1_000;

type Props = { sessionId: string; id: string; command: string };

/**
 * The terminal of a command, which the user can type into. It draws what the daemon draws. The size is that of the client that typed last,
 * so it becomes the size of this window with the first key.
 */
export function CommandTerminal({ sessionId, id, command }: Props) {
  const { link } = useApp();
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!place.current) return undefined;
    const terminal = openTerminal(place.current);
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    let ended = false;
    let isOurs = false;
    const type = createTerminalInputQueue(
      ({ data, size }) => link.api.command.type.mutate({ sessionId, id, data, ...omitUndefined({ size }) }, SEND_ONCE),
      (error) => setProblem(error instanceof Error ? error.message : String(error)),
    );
    const ownSize = (): TerminalSize | undefined => {
      const size = fit.proposeDimensions();
      return size && Number.isFinite(size.cols)
        ? { columns: Math.min(Math.max(size.cols, 20), 500), rows: Math.min(Math.max(size.rows, 5), 500) }
        : undefined;
    };
    terminal.onData((data) => {
      if (ended) return;
      type(data, isOurs ? undefined : ownSize());
      isOurs = true;
    });
    const resized = new ResizeObserver(() => {
      const size = ownSize();
      if (isOurs && size && !ended && (size.columns !== terminal.cols || size.rows !== terminal.rows)) type("", size);
    });
    resized.observe(place.current);
    const subscription = link.api.command.watch.subscribe(
      { sessionId, id },
      {
        onData: (frame) => {
          const { columns, rows, end } = frame;
          if (terminal.cols !== columns || terminal.rows !== rows) {
            const own = ownSize();
            if (own?.columns !== columns || own.rows !== rows) isOurs = false; // another client typed
            terminal.resize(columns, rows);
          }
          terminal.write(toNearestPaletteColors(drawFrame(frame, { rows, scrollback: true })));
          ended = end !== undefined;
        },
        onError: ({ message }) => setProblem(message),
      },
    );
    return () => {
      subscription.unsubscribe();
      resized.disconnect();
      terminal.dispose();
    };
  }, [link, sessionId, id]);
  return (
    <>
      <div className="term terminal-screen" ref={place} role="group" aria-label={`Terminal of ${command}`} />
      {problem === undefined ? undefined : <p className="dim">{oneLine(problem)}</p>}
    </>
  );
}

function openTerminal(place: HTMLElement): Terminal {
  const style = getComputedStyle(place);
  const terminal = new Terminal({
    scrollback: SCROLLBACK,
    fontFamily: style.fontFamily,
    fontSize: Number.parseFloat(style.fontSize) || 12,
    theme: terminalTheme(style),
    screenReaderMode: true,
  });
  terminal.attachCustomKeyEventHandler((event) => {
    const isLeaving = event.ctrlKey && (event.key === "]" || event.code === "BracketRight");
    if (isLeaving) place.closest("dialog")?.close();
    if (event.key === "Escape") event.preventDefault(); // a dialog would close
    return !isLeaving;
  });
  withoutStyleElements(() => terminal.open(place));
  terminal.textarea?.setAttribute("autofocus", ""); // for a dialog that opens after this
  terminal.focus();
  return terminal;
}
