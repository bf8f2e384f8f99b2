import type { Translated } from "../en/index.ts";
import type { later as english } from "../en/later.ts";
import { person_requests } from "./person_requests.ts";
import { real_names } from "./real_names.ts";
import { withdrawals } from "./withdrawals.ts";

export const later: Translated<typeof english> = { person_requests, real_names, withdrawals };
