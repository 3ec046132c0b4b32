import type { EditReading } from "./reading-types.ts";

const FENCED = /^\s*(```+|~~~+)[\w.+-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1[ \t]*\r?\n?$/;

/** The content of a Markdown code block that is the whole text. */
export const insideFence = (text: string): string | undefined => FENCED.exec(text)?.[2];

export const readInsideFence: EditReading = (edit) => {
  const old = insideFence(edit.old);
  return old === undefined || old === ""
    ? undefined
    : { edit: { ...edit, old, now: insideFence(edit.now) ?? edit.now }, ignored: "code fences" };
};
