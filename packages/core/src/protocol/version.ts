/** Goes up when a client of before cannot talk to a daemon of after. */
export const PROTOCOL = 1;
