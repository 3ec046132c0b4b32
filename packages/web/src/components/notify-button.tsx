import { useApp, useObservableValue } from "../store/app-context.ts";
import { Icon } from "./icon.tsx";

/** Turns notifications on and off. The browser asks for permission the first time. */
export function NotifyButton() {
  const { notify, tell } = useApp();
  const state = useObservableValue(notify.state);
  if (state === "unable") return undefined;
  const about = state === "on" ? "Notifications are on while this tab is hidden" : "Notify me of requests while this tab is hidden";
  return (
    <button
      type="button"
      className="btn quiet small icon r"
      aria-pressed={state === "on"}
      aria-label="Notifications"
      title={about}
      onClick={() => void notify.toggle().catch(tell)}
    >
      <Icon name={state === "on" ? "bell" : "bell-slash"} small />
    </button>
  );
}
