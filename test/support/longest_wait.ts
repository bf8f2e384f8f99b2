/**
 * How long a test waits for what must happen, whatever it waits with. A wait ends as soon as it has happened, so this
 * only bounds a failure: it is far longer than the slowest machine needs, and shorter than the limit of a test
 * (vitest.config.ts), so that the failure names what did not happen.
 */
export const LONGEST_WAIT_MS = 150_000;
