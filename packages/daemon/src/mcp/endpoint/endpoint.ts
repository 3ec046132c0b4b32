import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ListingPolicy } from "@baton/core/protocol/toolset/toolset-profile";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { ProfileBackend } from "./shared-profile-state.ts";
import type { OpenHttp } from "./serve-http.ts";
import type { EndpointOptions } from "./endpoint-options.ts";

/** The listing of a profile. `server`: the server that `proxy` exposes. */
type ListingRequest = { policy: ListingPolicy; server?: string | undefined; workspace: string };

/** The MCP endpoint for other agents. The protocol is loaded when the first client connects. */
export type Endpoint = {
  /** Sets how tools are listed for clients of a profile. The token and the workspace of HTTP clients stay the same. */
  prepare: (profile: string, opening: ListingRequest, by: Actor) => Promise<void>;
  /**
   * Opens a profile for clients over HTTP. Returns their token; earlier tokens are void. `move`: required to move clients from another
   * workspace.
   */
  open: (
    profile: string,
    opening: ListingRequest & { move: boolean },
    by: Actor,
  ) => Promise<{ token: string; voided: boolean } | { refused: Refusal }>;
  /** A request to `/mcp/<profile>`. Its host and origin have been checked. */
  http: (profile: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** A client of this user on a stream of lines. */
  stdio: (profile: string, workspace: string, stream: Duplex) => Promise<void>;
  /** The tools of a workspace have changed. */
  changed: (workspace: string) => void;
  /** The resources or prompts of a server have changed. */
  othersChanged: (workspace: string, what: "resources" | "prompts") => void;
  close: () => Promise<void>;
};

export function openEndpoint(options: EndpointOptions): Endpoint {
  const desks = new Map<string, Promise<ProfileBackend>>();
  let http: Promise<OpenHttp> | undefined;
  const backendOf = (name: string, workspace: string): Promise<ProfileBackend> => {
    const key = `${name}\0${workspace}`;
    const before = desks.get(key);
    if (before) return before;
    const opening = import("./shared-profile-state.ts").then(({ openProfileBackend }) => openProfileBackend(name, workspace, options));
    desks.set(key, opening);
    opening.catch(() => desks.delete(key));
    return opening;
  };
  const inside = (workspace: string, notify: (backend: ProfileBackend) => void) => {
    for (const opening of desks.values())
      opening.then(
        (each) => (each.workspace === workspace ? notify(each) : undefined),
        () => undefined, // the profile could not be opened, so it has no clients
      );
  };
  return {
    async prepare(name, { policy, server, workspace }, by) {
      const profile = await options.profiles.open(name);
      const { opening } = profile;
      if (opening?.policy === policy && opening.server === server) return;
      const { workspace: at, token } = opening ?? { workspace, token: "" };
      await profile.openFor({ type: "profile.opened", policy, ...serverField(server), workspace: at, token, by });
    },
    async open(name, { policy, server, workspace, move }, by) {
      const profile = await options.profiles.open(name);
      const { opening } = profile;
      const voided = opening !== undefined && opening.token !== "";
      if (voided && opening.workspace !== workspace && !move)
        return refuse(
          "profile_elsewhere",
          `Clients of the profile ${name} already connect over HTTP and work in ${opening.workspace}. Use another profile with --profile NAME, or move them here with --move.`,
        );
      const token = `baton_${randomBytes(24).toString("base64url")}`;
      await profile.openFor({ type: "profile.opened", policy, ...serverField(server), workspace, token: digest(token), by });
      return { token, voided };
    },
    async http(name, request, response) {
      const { opening } = await options.profiles.open(name);
      if (!opening || !showsToken(request, opening.token)) {
        response.writeHead(401, { "content-type": "application/json", "www-authenticate": "Bearer" });
        response.end(JSON.stringify({ error: "Missing or wrong token of this profile. `baton mcp install` creates one." }));
        return;
      }
      http ??= import("./serve-http.ts").then(({ serveHttp }) => serveHttp(options));
      await (await http).answer(await backendOf(name, opening.workspace), request, response);
    },
    async stdio(name, workspace, stream) {
      const { serveStream } = await import("./serve-stream.ts");
      await serveStream(await backendOf(name, workspace), stream, options);
    },
    changed: (workspace) => inside(workspace, (each) => each.look()),
    othersChanged: (workspace, what) => inside(workspace, (each) => each.othersChanged(what)),
    async close() {
      await (await http)?.close();
      for (const opening of desks.values()) (await opening.catch(() => undefined))?.close();
    },
  };
}

const serverField = (server: string | undefined): { server?: string } => (server === undefined ? {} : { server });

const digest = (token: string): string => hash("sha256", token);

function showsToken(request: IncomingMessage, wanted: string): boolean {
  const shown = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  return shown !== undefined && wanted !== "" && timingSafeEqual(Buffer.from(digest(shown)), Buffer.from(wanted));
}
