import type { Admin } from "../../../client/index.ts";
import { useAdmin } from "../store/store.ts";

export type Area = Admin["OwnRoles"]["areas"][number];

/**
 * Whether the roles of the signed-in administrator allow an area. True until they are known: the store itself checks
 * every call.
 */
export function useHasArea(area: Area): boolean {
  const { data } = useAdmin("/adminapi/me");
  return data === undefined || data.areas.includes(area);
}

/**
 * Whether the roles are known to allow an area. False until they are known: for reads that the store refuses to other
 * roles.
 */
export function useKnownArea(area: Area): boolean {
  return useAdmin("/adminapi/me").data?.areas.includes(area) ?? false;
}
