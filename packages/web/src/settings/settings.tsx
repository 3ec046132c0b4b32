import { useEffect, useRef } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { FolderContext } from "../store/folder-context.ts";
import { recentFolders } from "../store/data/place-folders.ts";
import { routeHref, type AppRoute } from "../store/route.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { BackButton } from "../components/back-button.tsx";
import { Banner, NoticeBanner } from "../components/banner.tsx";
import { baseName } from "../components/text/strings.ts";
import "./settings.css";
import { GeneralTab } from "./general/general-tab.tsx";
import { HooksTab } from "./hooks/hooks-tab.tsx";
import { ModesTab } from "./modes/modes-tab.tsx";
import type { SettingsTab } from "./settings-tab.ts";
import { PluginsTab } from "./plugins/plugins-tab.tsx";
import { PermissionsTab } from "./permissions/permissions-tab.tsx";
import { ToolsetsTab } from "./toolsets/toolsets-tab.tsx";
import { UsageTab } from "./usage/usage-tab.tsx";

/** Settings that apply to more than one session, for one folder at a time. */
export function Settings({ at }: { at: Extract<AppRoute, { page: "settings" }> }) {
  const { lists, route } = useApp();
  const rows = useObservableValue(lists.sessions) ?? [];
  const folders = recentFolders(rows, useObservableValue(lists.places));
  const cwd = at.cwd ?? folders[0];
  const known = [...new Set([...(cwd === undefined ? [] : [cwd]), ...folders])];
  const [first] = settingsTabs;
  const part = settingsTabs.find(({ name }) => name === at.part) ?? first;
  const tab = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    tab.current?.scrollIntoView({ inline: "nearest", block: "nearest" }); // if not all tabs are visible
  }, [part]); // returns nothing, because newer browsers return a promise here
  return (
    <main className="main">
      <header className="bar">
        <BackButton />
        <nav className="tabs" aria-label="Settings">
          {settingsTabs.map(({ name, title }) => (
            <a
              key={name}
              ref={name === part?.name ? tab : undefined}
              href={routeHref({ ...at, part: name })}
              aria-current={name === part?.name ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        {known.length < 2 || part?.everywhere ? undefined : (
          <select
            className="field r"
            aria-label="Folder"
            value={cwd}
            onChange={(event) => route.go({ page: "settings", part: at.part, cwd: event.target.value })}
          >
            {known.map((folder) => (
              <option key={folder} value={folder} title={folder}>
                {oneLine(baseName(folder))}
              </option>
            ))}
          </select>
        )}
      </header>
      <Banner />
      <div className="scroll" tabIndex={0} role="region" aria-label={part?.title ?? "Settings"}>
        <NoticeBanner />
        {cwd === undefined && !part?.everywhere ? (
          <p className="page dim">
            There is no folder yet. <a href={routeHref({ page: "new" })}>Start a session</a> in one.
          </p>
        ) : part ? (
          <FolderContext value={cwd ?? ""}>
            <section className="page" key={`${part.name} ${cwd}`}>
              <part.Part cwd={cwd ?? ""} session={at.session} />
            </section>
          </FolderContext>
        ) : undefined}
      </div>
    </main>
  );
}

/** The tabs in order. The name is part of the address. */
const settingsTabs: readonly SettingsTab[] = [
  { name: "general", title: "General", Part: GeneralTab, everywhere: true },
  { name: "modes", title: "Modes", Part: ModesTab },
  { name: "permissions", title: "Permissions", Part: PermissionsTab },
  { name: "toolsets", title: "MCP servers", Part: ToolsetsTab },
  { name: "hooks", title: "Hooks", Part: HooksTab },
  { name: "plugins", title: "Plugins", Part: PluginsTab },
  { name: "usage", title: "Usage", Part: UsageTab, everywhere: true },
];
