/**
 * The seed of the random tests of a run: the variable SEED, to repeat a failure, or a new one. `npm test` chooses it
 * for all files and prints it.
 */
export function seed(): number {
  return Number(process.env.SEED ?? Date.now() % 2 ** 31);
}
