import { expect, test } from "vitest";
import { isQuietProgram } from "./awk-program.ts";

test.each([
  "/^## /",
  '/foo|bar/ {print $1 " | " $2}',
  "{print; if (NR>5) exit}",
  "{ print ($1 + $2) / 2 }",
  "{ if ($1 > 5) print $2 }",
  "function f(x) { return x > 2 } { print f($1) }",
  "{ print (1 > 2) }",
  "{ print length / 2 }",
  "/[[:space:]]x/ { print $1 / 2 }",
])("%s only computes and prints", (program) => expect(isQuietProgram(program)).toBe(true));

test.each([
  'BEGIN{ print "x" > "f" }',
  'BEGIN{ printf("%s", "x") >> "f" }',
  'BEGIN{ print "x" | "sh" }',
  'BEGIN { "date" | getline x }',
  '{ system("id") }',
  '{ x++ /2; print "x" > "f"; y++ /3 }',
  '{ if (x) /"/ ; print > "f" ; "/" }',
  '{ $/"/ ; print > "f" ; "/" }',
  'BEGIN { # "\nprint "x" > "f" }',
  '@include "x"',
  '$1 ~ /[/]/ { print > "f" } /x/',
  'BEGIN { if (0) exit /"/; print "x" > "f"; if (0) exit /"/ }',
  'BEGIN { x = -/"/; print "x" > "f"; x = -/"/ }',
  'BEGIN { x = length /"/; print "x" > "f"; x = length /"/ }',
  '/[[:alpha:]/"]/; BEGIN { print "x" > "f" }; /"/',
  '/[]/"]/; BEGIN { print "x" > "f" }; /[]/"]/',
  '/[^]/"]/; BEGIN { print "x" > "f" }; /[^]/"]/',
])("%s may do more", (program) => expect(isQuietProgram(program)).toBe(false));
