import { useApp, useObservableValue } from "../store/app-context.ts";
import { routeHref } from "../store/route.ts";
import { Icon } from "./icon.tsx";

/** Leads back to the inbox and the sessions on a narrow screen. */
export function BackButton() {
  const waiting = useObservableValue(useApp().lists.inbox)?.length ?? 0;
  const needs = waiting === 0 ? "" : `, ${waiting} ${waiting === 1 ? "needs" : "need"} you`;
  return (
    <a className="btn quiet icon menu-btn" href={routeHref({ page: "home" })} aria-label={`Inbox and sessions${needs}`}>
      <Icon name="chevron-left" />
    </a>
  );
}
