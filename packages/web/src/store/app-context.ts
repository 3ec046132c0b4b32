import type { Mention } from "@baton/core/protocol/webview-messages";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { DaemonConnection } from "../connection/connection.ts";
import type { SettableValue, ObservableValue } from "../connection/observable.ts";
import type { Commands } from "@baton/core/client/commands";
import type { AnswerDraft, Drafts } from "./drafts.ts";
import type { DaemonData } from "./daemon-data.ts";
import type { Notifications } from "./notifications.ts";
import type { ImageStore } from "./image-store.ts";
import type { Route } from "./route.ts";

/** What everything on the page may reach. Made once, in `main.tsx`. */
export type App = {
  link: DaemonConnection;
  commands: Commands;
  lists: DaemonData;
  drafts: Drafts;
  pictures: ImageStore;
  /** What an editor that hosts the page has to mention. */
  mentions: SettableValue<readonly Mention[]>;
  notify: Notifications;
  route: ObservableValue<Route> & { go: (route: Route) => void };
  /** Requests that were answered on this page. */
  here: Set<string>;
  /** The answers that were given on this page, in words, in their order. */
  given: SettableValue<readonly { sessionId: string; text: string }[]>;
  /** What has been typed towards answers, by request. */
  answerDrafts: SettableValue<Readonly<Record<string, AnswerDraft>>>;
  /** The request that digits answer. */
  now: SettableValue<string | undefined>;
  /** A sentence that is shown for a moment, for what went wrong or came second. */
  notice: SettableValue<Notice | undefined>;
  /** Shows a notice. It goes by itself when what it is about is no more. */
  tell: (problem: unknown, about?: Notice["about"]) => void;
};

export type Notice = { text: string; about?: "connection" | undefined };

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("drawn outside of the page");
  return app;
}

export const useObservableValue = <T>({ watch, get }: ObservableValue<T>): T => useSyncExternalStore(watch, get);

export const useConnected = (): boolean => useObservableValue(useApp().link.state).kind === "connected";
