import { person_requests } from "./person_requests.ts";
import { real_names } from "./real_names.ts";
import { withdrawals } from "./withdrawals.ts";

/** The texts of pages that few members open, which arrive with them (i18n/later.ts). */
export const later = { person_requests, real_names, withdrawals };
