import { activity } from "./actions.ts";
import { articles } from "./articles.ts";
import { common } from "./common.ts";
import { levels } from "./levels.ts";
import { operation } from "./operation.ts";
import { orders } from "./orders.ts";
import { overview } from "./overview.ts";
import { plan } from "./plans.ts";
import { products } from "./products.ts";
import { releaseLog } from "./release.ts";
import { session } from "./session.ts";
import { users } from "./members.ts";
import { words } from "./words.ts";

export const en = { activity, articles, common, levels, operation, orders, overview, plan, products, releaseLog, session, users, words };

/** A text in every place where the English one has one. */
export type Translated<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]> };
