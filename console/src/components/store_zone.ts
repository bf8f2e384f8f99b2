import { useAdmin } from "../store/store.tsx";

/** The time zone of the store, by whose clock every time is shown; undefined until it is known. */
export function useStoreZone(): string | undefined {
  return useAdmin().useQuery("get", "/adminapi/system/settings", {}, { staleTime: 300_000 }).data?.time_zone;
}
