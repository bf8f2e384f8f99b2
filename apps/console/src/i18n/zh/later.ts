import type { Translated } from "../en/index.ts";
import type { later as english } from "../en/later.ts";
import { actions } from "./actions.ts";
import { adjustments } from "./adjustments.ts";
import { administrators } from "./administrators.ts";
import { articles } from "./articles.ts";
import { bill } from "./bill.ts";
import { finance } from "./finance.ts";
import { first_page } from "./first_page.ts";
import { levels } from "./levels.ts";
import { lists } from "./lists.ts";
import { machine_keys } from "./machine_keys.ts";
import { members } from "./members.ts";
import { network } from "./network.ts";
import { notices } from "./notices.ts";
import { orders } from "./orders.ts";
import { outbox } from "./outbox.ts";
import { payments } from "./payments.ts";
import { person_requests } from "./person_requests.ts";
import { plans } from "./plans.ts";
import { products } from "./products.ts";
import { real_names } from "./real_names.ts";
import { release } from "./release.ts";
import { schedule } from "./schedule.ts";
import { settings } from "./settings.ts";
import { settlement } from "./settlement.ts";
import { shipping } from "./shipping.ts";
import { signals } from "./signals.ts";
import { verification } from "./verification.ts";
import { webhooks } from "./webhooks.ts";
import { withdrawals } from "./withdrawals.ts";
import { writing } from "./writing.ts";

/** The texts of the other pages, loaded with the first of them that is opened. */
export const later: Translated<typeof english> = {
  actions,
  adjustments,
  administrators,
  articles,
  bill,
  finance,
  first_page,
  levels,
  lists,
  machine_keys,
  members,
  network,
  notices,
  orders,
  outbox,
  payments,
  person_requests,
  plans,
  products,
  real_names,
  release,
  schedule,
  settings,
  settlement,
  shipping,
  signals,
  verification,
  webhooks,
  withdrawals,
  writing,
};
