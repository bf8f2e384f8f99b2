import createQueryHooks, { type OpenapiQueryClient } from "openapi-react-query";
import { createContext, type ReactNode, useContext } from "react";
import { type AdminPaths, type ApiPaths, createStore, type Store } from "../../../client/index.ts";
import type { Config } from "../../../web/config.ts";
import { languageTag } from "../../../web/language_tag.ts";
import type { Session } from "../session/auth.ts";

/** The store as pages use it: `store` for writes, `query` for cached reads. */
export interface StoreAccess {
  store: Store;
  query: OpenapiQueryClient<AdminPaths>;
  publicQuery: OpenapiQueryClient<ApiPaths>;
}

const StoreContext = createContext<StoreAccess | undefined>(undefined);

/** Connects the typed client with the session. Requests carry its token, and a rejected token ends it. */
export function connectStore(config: Config, session: Session): StoreAccess {
  const store = createStore({
    functionsUrl: `${config.supabaseUrl}/functions/v1`,
    accessToken: session.accessToken,
    fetch: async (request) => {
      request.headers.set("accept-language", languageTag());
      const reply = await fetch(request);
      if (reply.status === 401) session.expire();
      return reply;
    },
  });
  return { store, query: createQueryHooks(store.admin), publicQuery: createQueryHooks(store.api) };
}

export function StoreProvider({ access, children }: { access: StoreAccess; children: ReactNode }) {
  return <StoreContext value={access}>{children}</StoreContext>;
}

/** Writes: `const { admin } = useStore()`, then within `useAction`. */
export function useStore(): Store {
  return useContext(StoreContext)!.store;
}

/** Reads of `adminapi`: `useAdmin().useQuery("get", "/adminapi/user", { params: { query } })`. */
export function useAdmin(): OpenapiQueryClient<AdminPaths> {
  return useContext(StoreContext)!.query;
}

/** Public reads of `api`. */
export function useApi(): OpenapiQueryClient<ApiPaths> {
  return useContext(StoreContext)!.publicQuery;
}
