import { useApi } from "./store.tsx";

/** The name that the store gives itself in its settings; undefined until it is known. */
export function useSiteName(): string | undefined {
  return useApi().useQuery("get", "/api/system/metadata", {}, { staleTime: 300_000 }).data?.site_name || undefined;
}
