/**
 * What random tests begin with: the variable SEED, to repeat a failure; in CI always the same, so that a change is judged by what
 * it changed; elsewhere another one on every run.
 */
export function seed(): number {
  return Number(process.env.SEED ?? (process.env.CI ? 20261120 : Date.now() % 2 ** 31));
}
