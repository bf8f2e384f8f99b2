import { common } from "./common.ts";
import { overview } from "./overview.ts";
import { reports } from "./reports.ts";
import { session } from "./session.ts";
import { words } from "./words.ts";

/** The texts of the shell and of the first page. */
export const first = { common, overview, reports, session, words };
