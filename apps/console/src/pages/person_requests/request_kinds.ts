import type { Admin } from "../../../../client/index.ts";

/** What a person can ask for. */
export const requestKinds = ["copy", "correction", "deletion"] as const satisfies Admin["AdminPersonRequest"]["kind"][];
