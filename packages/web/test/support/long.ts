import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Repeats a turn of a stopped daemon's log until there are enough events, with increasing step and call numbers. */
export function lengthen(home: string, id: string, events: number): void {
  using database = new DatabaseSync(path.join(home, "baton.db"));
  const turn = database
    .prepare("SELECT at, type, data FROM event WHERE stream_id = ? AND seq > 1 ORDER BY seq")
    .all(id)
    .map((row) => ({ at: Number(row["at"]), type: String(row["type"]), data: String(row["data"]) }));
  const steps = turn.filter(({ type }) => type === "model.started").length;
  const insert = database.prepare("INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,?,?,?)");
  database.exec("BEGIN");
  let seq = turn.length + 2;
  for (let round = 1; seq <= events; round++)
    for (const { at, type, data } of turn) insert.run(id, seq++, at, type, moved(data, round, steps));
  database.prepare("UPDATE session SET seq = ? WHERE id = ?").run(seq - 1, id);
  database.exec("COMMIT");
}

const moved = (data: string, round: number, steps: number): string =>
  data
    .replace(/"step":(\d+)/g, (_, n: string) => `"step":${Number(n) + round * steps}`)
    .replace(/"s(\d+).(\d+)"/g, (_, n: string, call: string) => `"s${Number(n) + round * steps}.${call}"`)
    .replace(/"(promptIds?)":(\[?)"/g, `"$1":$2"${round}-`);
