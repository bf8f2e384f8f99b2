/**
 * Version of the drawing in functions/poster. Increase it with every change there: a new version makes all posters out
 * of date.
 */
export const POSTER_EDITION = "2";
