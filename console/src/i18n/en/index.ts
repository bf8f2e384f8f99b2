import { common } from "./common.ts";
import { levels } from "./levels.ts";
import { orders } from "./orders.ts";
import { overview } from "./overview.ts";
import { plan } from "./plan.ts";
import { releaseLog } from "./release_log.ts";
import { session } from "./session.ts";
import { users } from "./users.ts";
import { words } from "./words.ts";

export const en = { common, levels, orders, overview, plan, releaseLog, session, users, words };
