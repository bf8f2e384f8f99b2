import type { Folder } from "./folder.ts";

export const bill: Folder = {
  member: {
    bill: "/bill",
    statement: "/statement",
    "empty statement": "/statement?month=2020-01",
    reversals: "/bill?type=brokerage_reversal",
  },
};
