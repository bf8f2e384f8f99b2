import { useAdmin } from "../store/store.ts";

/** The time zone of the store, in which all times are shown; undefined until it is loaded. */
export function useStoreZone(): string | undefined {
  return useAdmin("/adminapi/system/settings", {}, { staleTime: 300_000 }).data?.time_zone;
}
