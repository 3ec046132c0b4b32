/** The status of an MCP server, for the user. */
export const serverStatusText = {
  idle: "not started yet",
  starting: "starting",
  ready: "ready",
  failed: "failed",
  needs_login: "needs a login",
  disabled: "switched off",
  needs_approval: "needs your approval",
  refused: "refused by you",
} as const;
