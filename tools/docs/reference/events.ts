import { SessionEvent, WorkspaceEvent } from "../../../packages/core/src/protocol/event.ts";
import { code, table } from "../markdown.ts";
import { docComments } from "./doc-comments.ts";
import type { Page } from "./page.ts";
import { schemaType } from "./schema-type.ts";
import { toJsonSchema } from "./to-json-schema.ts";

type Option = (typeof SessionEvent.options)[number] | (typeof WorkspaceEvent.options)[number];

/** All events of sessions and workspaces with their fields. */
export function eventsPage(): Page {
  const comments = eventComments();
  const sections = (options: readonly Option[]): string[] => options.flatMap((option) => section(option, comments));
  return {
    file: "events.md",
    title: "Events",
    about:
      "Everything that happens in a session is an event of one of these types. Each event in the log also has `seq`, which counts from 1 without gaps, and `at`, in milliseconds since 1970. `baton export SESSION` prints the events of a session. [Protocol](../protocol.md#events) explains how to read them.",
    parts: [
      "## Sessions",
      ...sections(SessionEvent.options),
      "## Workspaces",
      "These events outlive the sessions of a folder.",
      ...sections(WorkspaceEvent.options).map(inWorkspace),
    ],
  };
}

function section(option: Option, comments: ReadonlyMap<string, string>): string[] {
  const type = option.shape.type.value;
  const { properties = {}, required = [] } = toJsonSchema(option);
  const rows = Object.entries(properties)
    .filter(([name]) => name !== "type")
    .map(([name, schema]) => [
      code(`${name}${required.includes(name) ? "" : "?"}`),
      code(schemaType(schema)),
      comments.get(`${type}.${name}`) ?? "",
    ]);
  const about = comments.get(type);
  return [`### ${type}`, ...(about === undefined ? [] : [about]), table(["field", "type", "meaning"], rows)];
}

/** The comments of the events by type, and of their fields by type and name. */
function eventComments(): Map<string, string> {
  let type = "";
  return docComments("packages/core/src/protocol/event.ts", (line) => {
    const event = /^ {2}event\("([\w.]+)"/.exec(line)?.[1];
    if (event !== undefined) return (type = event);
    const field = /^ {4}(\w+): z?/.exec(line)?.[1];
    return field === undefined || type === "" ? undefined : `${type}.${field}`;
  });
}

/** Some types occur in both lists, and a heading is an address. */
const inWorkspace = (text: string): string => text.replace(/^### (grant\..*)$/, "### $1 of a workspace");
