import { createContext, useContext, useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

/** A menu has only actions; a popup with a field or a list is a small dialog. */
type Kind = "menu" | "dialog";
const KindContext = createContext<Kind>("menu");

type Props = {
  kind?: Kind;
  /** The label for screen readers. */
  label: string;
  button: ReactNode;
  className?: string;
  title?: string;
  up?: boolean;
  disabled?: boolean;
  children: (close: () => void) => ReactNode;
};

/** The distance of a menu from the edges of the page, in pixels. */
const EDGE = 4;

/** A button that opens a menu. Arrow keys move in it; Escape and a click outside close it. */
export function Menu({ label, button, kind = "menu", className = "btn quiet", title, up = false, disabled = false, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useLayoutEffect(() => {
    const menu = box.current;
    if (!menu) return;
    menu.style.translate = "";
    const { left, right } = menu.getBoundingClientRect();
    const over = Math.max(0, right + EDGE - document.documentElement.clientWidth);
    menu.style.translate = left < EDGE ? `${EDGE - left}px` : `${-over}px`;
  });
  useEffect(() => {
    if (!open) return undefined;
    box.current?.querySelector<HTMLElement>(STOPS)?.focus();
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target) && !opener.current?.contains(event.target)) setOpen(false);
    };
    addEventListener("pointerdown", elsewhere);
    return () => removeEventListener("pointerdown", elsewhere);
  }, [open]);
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
      return;
    }
    if (isText(event)) box.current?.querySelector<HTMLElement>("input")?.focus(); // typed characters go to the field, if there is one
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const items = [...(box.current?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
    const at = items.findIndex((item) => item === document.activeElement);
    items[(at + (event.key === "ArrowDown" ? 1 : items.length - 1)) % items.length]?.focus();
  };
  return (
    <span className="menu-of">
      <button
        ref={opener}
        type="button"
        className={className}
        title={title}
        disabled={disabled}
        aria-haspopup={kind}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div ref={box} id={id} className={up ? "menu up" : "menu"} role={kind} tabIndex={-1} aria-label={label} onKeyDown={key}>
          <KindContext value={kind}>{children(close)}</KindContext>
        </div>
      ) : undefined}
    </span>
  );
}

const isText = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== " " && !ctrlKey && !altKey && !metaKey;

/** The elements that arrow keys move to. */
const STOPS = "input, .item";

type ItemProps = { chosen?: boolean | undefined; disabled?: boolean; onPick: () => void; children: ReactNode };

export function MenuItem({ chosen, disabled = false, onPick, children }: ItemProps) {
  const inMenu = useContext(KindContext) === "menu";
  return (
    <button
      type="button"
      className="item"
      role={inMenu ? (chosen === undefined ? "menuitem" : "menuitemradio") : undefined}
      aria-checked={inMenu ? chosen : undefined}
      aria-pressed={inMenu ? undefined : chosen}
      aria-disabled={disabled}
      onClick={() => (disabled ? undefined : onPick())}
    >
      {children}
    </button>
  );
}
