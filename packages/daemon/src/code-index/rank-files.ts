const ROUNDS = 20;
/** The share of a file's rank that it passes on to the files that it refers to. */
const PASSED_ON = 0.85;
/** With a question, files far away from the answer matter less. */
const PASSED_ON_FROM_ANSWER = 0.3;

/**
 * PageRank of files. `links` has the numbers of the files that each file refers to. `relevance`: how much each file answers a question; the
 * ranks are then those of the files around the answer. The ranks sum up to about 1.
 */
export function rankFiles(links: readonly (readonly number[])[], relevance?: Float64Array): Float64Array {
  const count = links.length;
  const total = relevance?.reduce((sum, each) => sum + each, 0) ?? 0;
  const asked = relevance !== undefined && total > 0;
  const start = asked ? relevance.map((each) => each / total) : new Float64Array(count).fill(1 / count);
  const passed = asked ? PASSED_ON_FROM_ANSWER : PASSED_ON;
  let ranks = start;
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(count);
    let loose = 0;
    links.forEach((targets, from) => {
      const rank = ranks[from] ?? 0;
      if (targets.length === 0) loose += rank;
      for (const to of targets) next[to] = (next[to] ?? 0) + rank / targets.length;
    });
    for (let i = 0; i < count; i++) next[i] = (1 - passed + passed * loose) * (start[i] ?? 0) + passed * (next[i] ?? 0);
    ranks = next;
  }
  return ranks;
}
