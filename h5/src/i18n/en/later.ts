import { person_requests } from "./person_requests.ts";

/** The texts of pages that few members open, which arrive with them (i18n/later.ts). */
export const later = { person_requests };
