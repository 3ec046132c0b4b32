import assert from "node:assert/strict";
import { test } from "node:test";
import { bookSeats } from "../src/booking.js";

const concert = { name: "concert", seats: 10, taken: 7 };

test("seats that are free are booked", () => {
  assert.deepEqual(bookSeats(concert, 2), { event: { ...concert, taken: 9 }, booked: 2 });
});

test("the last seats can be booked", () => {
  assert.deepEqual(bookSeats(concert, 3), { event: { ...concert, taken: 10 }, booked: 3 });
});

test("more than is left is refused", () => {
  assert.deepEqual(bookSeats(concert, 4), { refused: "only 3 seats are left" });
});

test("no seats is no booking", () => {
  assert.deepEqual(bookSeats(concert, 0), { refused: "ask for at least one seat" });
});
