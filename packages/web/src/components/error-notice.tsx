import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** What went wrong, what it means, and what to do. `passing` is one that mends itself. */
export function ErrorNotice({ title, passing = false, children }: { title: string; passing?: boolean; children?: ReactNode }) {
  return (
    <div className={`fault${passing ? " note-only" : ""}`}>
      <Icon name={passing ? "info" : "close"} />
      <b className="strong">{title}</b>
      {children === undefined ? undefined : <span className="soft">{children}</span>}
    </div>
  );
}
