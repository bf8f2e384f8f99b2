/** Edition of the drawing in functions/poster: another one makes every poster out of date, so raise it with every change there. */
export const POSTER_EDITION = "1";
