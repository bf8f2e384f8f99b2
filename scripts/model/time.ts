/**
 * In milliseconds. In a file of their own, because constants of the modules that the store consists of are computed
 * from them.
 */
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
