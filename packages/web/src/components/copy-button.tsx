import { useEffect, useState } from "react";
import { useApp } from "../store/app-context.ts";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 1_500;

/** Copies a text. `what` names it in the label: "Copy code". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { tell } = useApp();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = copied ? "Copied" : `Copy ${what}`;
  return (
    <button
      type="button"
      className="btn quiet small icon"
      aria-label={label}
      title={label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true), tell)}
    >
      <Icon name={copied ? "check" : "copy"} small />
    </button>
  );
}
