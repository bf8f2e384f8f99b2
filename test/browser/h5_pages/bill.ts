import type { Folder } from "./folder.ts";

export const bill: Folder = { member: { bill: "/bill", reversals: "/bill?type=brokerage_reversal" } };
