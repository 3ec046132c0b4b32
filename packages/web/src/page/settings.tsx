import { lazy, Suspense } from "react";
import type { Route } from "../store/route.ts";

/** Seldom wanted, so it is no part of the first load. */
const Settings = lazy(async () => ({ default: (await import("../settings/settings.tsx")).Settings }));

export const SettingsPage = ({ at }: { at: Extract<Route, { page: "settings" }> }) => (
  <Suspense>
    <Settings at={at} />
  </Suspense>
);
