/** Converts terminal output to plain text as it arrives. */
export type Cleaner = { push(text: string): void; end(): void };

const MAX_HELD = 4_096;
const MAX_LINE = 8_192;

// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;
// oxlint-disable-next-line no-control-regex
const OPEN_SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+/g;
// oxlint-disable-next-line no-control-regex
const ANY_CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Removes colors, cursor movements and all control characters except tab, line end and carriage return. */
export function stripSequences(emit: (text: string) => void): Cleaner {
  let held = "";
  return {
    push(text) {
      if (held === "" && !ANY_CONTROL.test(text)) return emit(text);
      const whole = held + text;
      const open = OPEN_SEQUENCE.exec(whole.slice(-MAX_HELD));
      const ready = open ? whole.slice(0, whole.length - open[0].length) : whole;
      held = open ? open[0] : "";
      const plain = ready.replace(SEQUENCE, "").replace(CONTROL, "");
      if (plain !== "") emit(plain);
    },
    end() {
      held = "";
    },
  };
}

/**
 * Keeps the final state of every line. Of progress that carriage returns overwrite, only the last drawing remains. Emits whole lines, and
 * parts of lines that are too long to buffer.
 */
export function foldLines(emit: (text: string) => void): Cleaner {
  let rest = "";
  return {
    push(text) {
      const whole = rest + text;
      const end = whole.lastIndexOf("\n") + 1;
      if (end > 0) {
        const ready = whole.slice(0, end);
        emit(ready.includes("\r") ? ready.split("\n").map(lastDrawing).join("\n") : ready);
      }
      rest = whole.slice(end);
      const drawn = rest.lastIndexOf("\r", rest.length - 2);
      if (drawn >= 0) rest = rest.slice(drawn + 1);
      if (rest.length > MAX_LINE && !rest.endsWith("\r")) {
        emit(rest);
        rest = "";
      }
    },
    end() {
      const last = lastDrawing(rest);
      rest = "";
      if (last !== "") emit(last);
    },
  };
}

function lastDrawing(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((drawing) => drawing !== "") ?? "";
}
