export const onRequestChoices = ["wait", "deny", "fail", "allow"] as const;
/** What to do with a request when nobody looks. */
export type OnRequest = (typeof onRequestChoices)[number];
