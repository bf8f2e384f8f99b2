import { useApi } from "./store.ts";

/** The site name in the settings of the store; undefined until it is loaded. */
export function useSiteName(): string | undefined {
  return useApi("/api/system/metadata", {}, { staleTime: 300_000 }).data?.site_name || undefined;
}
