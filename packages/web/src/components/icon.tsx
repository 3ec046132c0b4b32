/** A codicon. It is hidden from screen readers, so its meaning must be in the text next to it. */
export function Icon({ name, small = false, className = "" }: { name: string; small?: boolean; className?: string }) {
  return <i aria-hidden="true" className={`i codicon codicon-${name}${small ? " s" : ""} ${className}`} />;
}

/** "Needs you". The codicons have no filled diamond. */
export const NeedsYouIcon = ({ className = "" }: { className?: string }) => <i aria-hidden="true" className={`i i-wait ${className}`} />;

/** "Working": an open ring that turns. */
export const WorkingIcon = () => <span aria-hidden="true" className="spin" />;

export const KeyCap = ({ children }: { children: string }) => <kbd aria-hidden="true">{children}</kbd>;
