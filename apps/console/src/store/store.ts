import { createContext, useContext } from "react";
import type { Config } from "../../../shared/config.ts";
import type { ConnectedStore } from "../../../shared/connect_store.ts";
import { createUseRead } from "../../../shared/use_read.ts";

/** The store and what its installation shows. */
interface StoreAccess extends ConnectedStore, Pick<Config, "icpNumber"> {}

export const StoreContext = createContext<StoreAccess | undefined>(undefined);

/** Writes: `const { admin } = useStore()`, then within `useAction`. Uploads: `const { uploadPicture } = useStore()`. */
export function useStore(): ConnectedStore {
  return useContext(StoreContext)!;
}

/** Reads of `adminapi`: `useAdmin("/adminapi/user", { params: { query } })`. */
export const useAdmin = createUseRead(() => useStore().admin);

/** Public reads of `api`. */
export const useApi = createUseRead(() => useStore().api);

/** The number under which the site is filed in mainland China; undefined where it need not be. */
export function useIcpNumber(): string | undefined {
  return useContext(StoreContext)!.icpNumber;
}
