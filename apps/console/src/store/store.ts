import { createContext, useContext } from "react";
import type { ConnectedStore } from "../../../shared/connect_store.ts";
import { createUseRead } from "../../../shared/use_read.ts";

export const StoreContext = createContext<ConnectedStore | undefined>(undefined);

/** Writes: `const { admin } = useStore()`, then within `useAction`. Uploads: `const { uploadPicture } = useStore()`. */
export function useStore(): ConnectedStore {
  return useContext(StoreContext)!;
}

/** Reads of `adminapi`: `useAdmin("/adminapi/user", { params: { query } })`. */
export const useAdmin = createUseRead(() => useStore().admin);

/** Public reads of `api`. */
export const useApi = createUseRead(() => useStore().api);
