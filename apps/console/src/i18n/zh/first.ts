import type { Translated } from "../en/index.ts";
import type { first as english } from "../en/first.ts";
import { common } from "./common.ts";
import { overview } from "./overview.ts";
import { reports } from "./reports.ts";
import { session } from "./session.ts";
import { words } from "./words.ts";

/** The texts of the shell and of the first page. */
export const first: Translated<typeof english> = { common, overview, reports, session, words };
