import { articles } from "./articles.ts";
import { bill } from "./bill.ts";
import { cart } from "./cart.ts";
import { common } from "./common.ts";
import { levels } from "./levels.ts";
import { members } from "./members.ts";
import { notices } from "./notices.ts";
import { orders } from "./orders.ts";
import { payments } from "./payments.ts";
import { plans } from "./plans.ts";
import { posters } from "./posters.ts";
import { products } from "./products.ts";
import { release } from "./release.ts";
import { session } from "./session.ts";
import { system } from "./system.ts";
import { team } from "./team.ts";

/** The texts of the shell and of most pages. */
export const first = {
  articles,
  bill,
  cart,
  common,
  levels,
  members,
  notices,
  orders,
  payments,
  plans,
  posters,
  products,
  release,
  session,
  system,
  team,
};
