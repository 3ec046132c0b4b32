#!/bin/bash
# Runs one turn on a pull request. Exits with the code of `baton run`, after the comment has been posted.
set -uo pipefail
result="${RUNNER_TEMP:-/tmp}/baton-result.json"
diff_of() { if [ -n "${NUMBER:-}" ]; then gh pr diff "$NUMBER"; fi; }

diff_of | baton run "$PROMPT" --model "$MODEL" --mode "$MODE" --on-request "$ON_REQUEST" --max-steps "$MAX_STEPS" --json >"$result"
code=$?
last="$(tail -n 1 "$result")"
field() { node -e 'const r = JSON.parse(process.argv[1] || "{}"); process.stdout.write(String(r[process.argv[2]] ?? ""))' "$last" "$1"; }
{
  echo "status=$(field status)"
  echo "cost=$(field cost)"
} >>"${GITHUB_OUTPUT:-/dev/null}"
if [ "$COMMENT" = "true" ] && [ -n "${NUMBER:-}" ]; then
  body="$(field text)"
  [ -n "$body" ] || body="Baton ended with the status $(field status) (exit code $code)."
  gh pr comment "$NUMBER" --body "$body" || echo "The comment could not be posted." >&2
fi
exit "$code"
