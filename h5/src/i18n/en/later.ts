import { real_names } from "./real_names.ts";

/** Texts that are loaded with the first page that needs them, so that the first page of the app stays small. */
export const later = { real_names };
