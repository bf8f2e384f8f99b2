import { addresses } from "./addresses.ts";
import { person_requests } from "./person_requests.ts";
import { prospects } from "./prospects.ts";
import { real_names } from "./real_names.ts";
import { refunds } from "./refunds.ts";
import { withdrawals } from "./withdrawals.ts";

/** Texts that the first page does not need. They arrive with the pages that show them (i18n/later.ts). */
export const later = { addresses, person_requests, prospects, real_names, refunds, withdrawals };
