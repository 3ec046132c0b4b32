import type { ListingPolicy, ProfileEvent, Toolset } from "../protocol/toolset.ts";

/**
 * Where the choice of tools stands. `equipped` is the toolset as it was when it was equipped; `revision` goes up with every
 * event, so two answers with the same one saw the same.
 */
export type ToolsetState = {
  toolsets: Readonly<Record<string, Toolset>>;
  equipped: Toolset | null;
  configuring: boolean;
  policy: ListingPolicy;
  /** The one server that is lent under `proxy`. */
  proxied?: string;
  revision: number;
};

/** What a change of the standing is made of. */
export type ToolsetEvent = Exclude<ProfileEvent, { type: "profile.opened" }>;

/** Nothing is equipped, so there is nothing but to configure. */
export const newToolsetState = (policy: ListingPolicy): ToolsetState => ({
  toolsets: {},
  equipped: null,
  configuring: true,
  policy,
  revision: 0,
});

/** Total and pure; an event that fits nothing changes nothing but the revision. */
export function reduceToolset(before: ToolsetState, event: ToolsetEvent): ToolsetState {
  const standing = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case "toolset.saved": {
      const { toolset, noted } = event;
      const { equipped: pinned } = standing;
      const isOlder = noted !== undefined && pinned !== toolsetOf(standing, toolset.name);
      const equipped = pinned?.name !== toolset.name ? pinned : isOlder ? withNotes(pinned, toolset, noted) : toolset;
      return { ...standing, toolsets: { ...standing.toolsets, [toolset.name]: toolset }, equipped };
    }
    case "toolset.deleted":
      return {
        ...standing,
        ...(standing.equipped?.name === event.name ? { equipped: null, configuring: true } : {}),
        toolsets: Object.fromEntries(Object.entries(standing.toolsets).filter(([name]) => name !== event.name)),
      };
    case "toolset.equipped":
      return { ...standing, equipped: toolsetOf(standing, event.name) ?? null };
    case "toolset.unequipped":
      return { ...standing, equipped: null };
    case "configuration.entered":
      return { ...standing, configuring: true };
    case "configuration.left":
      return { ...standing, configuring: false };
    case "tools.changed":
      return standing;
  }
  return ofLaterVersion(standing, event);
}

/** An event that only a later version knows changes nothing here; a case that was forgotten above does not compile. */
const ofLaterVersion = (standing: ToolsetState, _: never): ToolsetState => standing;

/** What is equipped, with the notes that one of its tools has in the toolset as it is kept. */
function withNotes(pinned: Toolset, { tools, modifiedAt }: Toolset, noted: string): Toolset {
  const notes = tools.find(({ name }) => name === noted)?.notes ?? [];
  return { ...pinned, modifiedAt, tools: pinned.tools.map((pin) => (pin.name === noted ? { ...pin, notes } : pin)) };
}

export const toolsetOf = ({ toolsets }: Pick<ToolsetState, "toolsets">, name: string): Toolset | undefined =>
  Object.hasOwn(toolsets, name) ? toolsets[name] : undefined;
