/** Whether the user lets a hook or a tool that is a file run. `undecided`: Baton asks first. */
export type ApprovalStatus = "approved" | "undecided" | "refused";

/** The status in a few words, which end a sentence or are a label of their own. */
export const approvalStatusText: Readonly<Record<ApprovalStatus, string>> = {
  approved: "runs",
  undecided: "waits for your approval",
  refused: "never runs, because you refused it",
};
