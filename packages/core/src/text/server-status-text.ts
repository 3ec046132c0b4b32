/** How an MCP server stands, in words. */
export const serverStatusText = {
  idle: "not started yet",
  starting: "starting",
  ready: "ready",
  failed: "failed",
  needs_login: "wants a login",
  disabled: "switched off",
  needs_approval: "wants your approval",
  refused: "refused by you",
} as const;
