import type { ListingPolicy, ProfileEvent, Toolset } from "../protocol/toolset/toolset-profile.ts";

/**
 * The state of a toolset selection. `equipped` is the toolset as it was when it was equipped. `revision` increases with every event, so
 * equal revisions mean equal states.
 */
export type ToolsetState = {
  toolsets: Readonly<Record<string, Toolset>>;
  equipped: Toolset | null;
  configuring: boolean;
  policy: ListingPolicy;
  /** The server that the policy `proxy` exposes. */
  proxied?: string;
  revision: number;
};

/** The events that change this state. */
export type ToolsetEvent = Exclude<ProfileEvent, { type: "profile.opened" }>;

/** No toolset is equipped, so configuration mode is on. */
export const newToolsetState = (policy: ListingPolicy): ToolsetState => ({
  toolsets: {},
  equipped: null,
  configuring: true,
  policy,
  revision: 0,
});

/** Applies an event. An event that does not fit the state only changes the revision. */
export function reduceToolset(before: ToolsetState, event: ToolsetEvent): ToolsetState {
  const state = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case "toolset.saved": {
      const { toolset, noted } = event;
      const isEquipped = state.equipped?.name === toolset.name;
      const isEarlierVersion = noted !== undefined && state.equipped !== toolsetOf(state, toolset.name);
      const current = isEarlierVersion && state.equipped ? withNotes(state.equipped, toolset, noted) : toolset;
      const equipped = isEquipped ? current : state.equipped;
      return { ...state, toolsets: { ...state.toolsets, [toolset.name]: toolset }, equipped };
    }
    case "toolset.deleted":
      return {
        ...state,
        ...(state.equipped?.name === event.name ? { equipped: null, configuring: true } : {}),
        toolsets: Object.fromEntries(Object.entries(state.toolsets).filter(([name]) => name !== event.name)),
      };
    case "toolset.equipped":
      return { ...state, equipped: toolsetOf(state, event.name) ?? null };
    case "toolset.unequipped":
      return { ...state, equipped: null };
    case "configuration.entered":
      return { ...state, configuring: true };
    case "configuration.left":
      return { ...state, configuring: false };
    case "tools.changed":
      return state;
  }
  return ofLaterVersion(state, event);
}

/** An event of a later version changes nothing. A case that is missing above does not compile. */
const ofLaterVersion = (state: ToolsetState, _: never): ToolsetState => state;

/** The equipped toolset with the notes that the saved toolset has for one of its tools. */
function withNotes(pinned: Toolset, { tools, modifiedAt }: Toolset, noted: string): Toolset {
  const notes = tools.find(({ name }) => name === noted)?.notes ?? [];
  return { ...pinned, modifiedAt, tools: pinned.tools.map((pin) => (pin.name === noted ? { ...pin, notes } : pin)) };
}

export const toolsetOf = ({ toolsets }: Pick<ToolsetState, "toolsets">, name: string): Toolset | undefined =>
  Object.hasOwn(toolsets, name) ? toolsets[name] : undefined;
