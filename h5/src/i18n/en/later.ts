import { person_requests } from "./person_requests.ts";

/** The texts of pages that few members open, loaded with the first of them. */
export const later = { person_requests };
