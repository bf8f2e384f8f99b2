import { createContext, useContext } from "react";
import type { Store } from "../../../client/index.ts";
import { createUseRead } from "../../../web/use_read.ts";

export const StoreContext = createContext<Store | undefined>(undefined);

/** Writes: `const { admin } = useStore()`, then within `useAction`. */
export function useStore(): Store {
  return useContext(StoreContext)!;
}

/** Reads of `adminapi`: `useAdmin("/adminapi/user", { params: { query } })`. */
export const useAdmin = createUseRead(() => useStore().admin);

/** Public reads of `api`. */
export const useApi = createUseRead(() => useStore().api);
