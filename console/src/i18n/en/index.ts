import { actions } from "./actions.ts";
import { adjustments } from "./adjustments.ts";
import { articles } from "./articles.ts";
import { common } from "./common.ts";
import { finance } from "./finance.ts";
import { levels } from "./levels.ts";
import { members } from "./members.ts";
import { notices } from "./notices.ts";
import { orders } from "./orders.ts";
import { outbox } from "./outbox.ts";
import { overview } from "./overview.ts";
import { payments } from "./payments.ts";
import { plans } from "./plans.ts";
import { products } from "./products.ts";
import { release } from "./release.ts";
import { schedule } from "./schedule.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { settlement } from "./settlement.ts";
import { signals } from "./signals.ts";
import { verification } from "./verification.ts";
import { withdrawals } from "./withdrawals.ts";
import { words } from "./words.ts";

/** One namespace for each file, with the same name. */
export const en = {
  actions,
  adjustments,
  articles,
  common,
  finance,
  levels,
  members,
  notices,
  orders,
  outbox,
  overview,
  payments,
  plans,
  products,
  release,
  schedule,
  session,
  settings,
  settlement,
  signals,
  verification,
  withdrawals,
  words,
};

/** The same keys as the English texts, without those of the singular, which Chinese does not have. */
export type Translated<Texts> = {
  [Key in keyof Texts as Key extends `${string}_one` ? never : Key]: Texts[Key] extends string ? string : Translated<Texts[Key]>;
};
