import type { Admin } from "../../../../client/index.ts";

/** Where the words for a scope are. */
export const scopeKey = (scope: Admin["MachineKey"]["scopes"][number]) =>
  `scope.${scope.replace(":", ".")}` as "scope.orders.read";
