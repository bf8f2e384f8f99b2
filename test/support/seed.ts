/**
 * The seed of random tests: the variable SEED, to repeat a failure; a fixed seed in CI, so that a failure is caused by the change; a new
 * seed on every other run.
 */
export function seed(): number {
  return Number(process.env.SEED ?? (process.env.CI ? 20261120 : Date.now() % 2 ** 31));
}
