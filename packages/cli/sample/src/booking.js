/** Books seats of an event. Returns the event after the booking, or the reason for a refusal. */
export function bookSeats(event, wanted) {
  if (!Number.isInteger(wanted) || wanted < 1) return { refused: "ask for at least one seat" };
  const left = event.seats - event.taken;
  if (wanted >= left) return { refused: `only ${left} seats are left` };
  return { event: { ...event, taken: event.taken + wanted }, booked: wanted };
}
