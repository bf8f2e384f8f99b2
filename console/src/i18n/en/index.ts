import { common } from "./common.ts";
import { orders } from "./orders.ts";
import { overview } from "./overview.ts";
import { session } from "./session.ts";
import { users } from "./users.ts";
import { words } from "./words.ts";

export const en = { common, orders, overview, session, users, words };
