import type { Mention } from "@baton/core/protocol/connection/webview-messages";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { DaemonConnection } from "../connection/connection-types.ts";
import type { SettableValue, ObservableValue } from "../connection/observable.ts";
import type { Commands } from "@baton/core/client/command-client";
import type { AnswerDraft, Drafts } from "./session/drafts.ts";
import type { DaemonData } from "./data/daemon-data.ts";
import type { Notifications } from "./browser-notifications.ts";
import type { ImageStore } from "./session/draft-image-store.ts";
import type { AppRoute } from "./route.ts";
import type { PaletteAction } from "./palette-actions.ts";
import type { Appearance } from "./appearance.ts";
import type { SeenSessions } from "./session/seen-sessions.ts";

/** The context of every component. `main.tsx` creates it. */
export type AppServices = {
  link: DaemonConnection;
  commands: Commands;
  lists: DaemonData;
  drafts: Drafts;
  imageStore: ImageStore;
  /** Mentions that the editor offers. */
  mentions: SettableValue<readonly Mention[]>;
  notify: Notifications;
  seen: SeenSessions;
  /** Undefined in an editor, which has its own theme. */
  appearance: Appearance | undefined;
  route: ObservableValue<AppRoute> & { go: (route: AppRoute) => void };
  /** Requests that were answered on this page. */
  answeredHere: Set<string>;
  /** Answers given on this page as sentences, in order. */
  ownAnswers: SettableValue<readonly { sessionId: string; text: string }[]>;
  /** The texts that the user has typed for answers, by request. */
  answerDrafts: SettableValue<Readonly<Record<string, AnswerDraft>>>;
  /** The request that digits answer. */
  now: SettableValue<string | undefined>;
  /** The actions of the open session, for the command palette. */
  sessionActions: SettableValue<(() => readonly PaletteAction[]) | undefined>;
  /** A message about an error or a lost race. */
  notice: SettableValue<Notice | undefined>;
  /** Shows a notice. A notice about the connection disappears when the page has reconnected. */
  tell: (problem: unknown, about?: Notice["about"]) => void;
};

export type Notice = { text: string; about?: "connection" | undefined };

export const AppContext = createContext<AppServices | undefined>(undefined);

export function useApp(): AppServices {
  const app = useContext(AppContext);
  if (!app) throw new Error("used outside of the page");
  return app;
}

export const useObservableValue = <T>({ watch, get }: ObservableValue<T>): T => useSyncExternalStore(watch, get);

export const useConnected = (): boolean => useObservableValue(useApp().link.state).kind === "connected";
