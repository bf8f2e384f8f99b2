import { addresses } from "./addresses.ts";
import type { Translated } from "../en/index.ts";
import type { later as english } from "../en/later.ts";
import { person_requests } from "./person_requests.ts";
import { prospects } from "./prospects.ts";
import { real_names } from "./real_names.ts";
import { refunds } from "./refunds.ts";
import { withdrawals } from "./withdrawals.ts";

export const later: Translated<typeof english> = {
  addresses,
  person_requests,
  prospects,
  real_names,
  refunds,
  withdrawals,
};
