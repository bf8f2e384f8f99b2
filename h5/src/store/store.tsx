import createQueryHooks, { type OpenapiQueryClient } from "openapi-react-query";
import { createContext, type ReactNode, useContext } from "react";
import { type ApiPaths, createStore, type Store } from "../../../client/index.ts";
import type { Config } from "../../../web/config.ts";
import { languageTag } from "../../../web/language_tag.ts";
import type { Session } from "../session/session.ts";
import { isInWechat } from "../session/wechat.ts";

/** The store as pages use it: `api` for writes, `query` for reads that React keeps. */
export interface StoreAccess {
  api: Store["api"];
  query: OpenapiQueryClient<ApiPaths>;
  paymentProvider: string | undefined;
  wechatAppid: string | undefined;
}

const StoreContext = createContext<StoreAccess | undefined>(undefined);

/** Requests that begin a session. The API also rejects a public request with an invalid token, so they carry none. */
const beginsSession = ({ url }: Request) => new URL(url).pathname.endsWith("/api/auth/wechat");

/** Connects the typed client with the session: requests carry its token, and a rejected token ends it. */
export function connectStore(config: Config, session: Session): StoreAccess {
  const { api } = createStore({
    functionsUrl: `${config.supabaseUrl}/functions/v1`,
    accessToken: session.accessToken,
    fetch: async (request) => {
      request.headers.set("accept-language", languageTag());
      if (beginsSession(request)) request.headers.delete("authorization");
      const reply = await fetch(request);
      if (reply.status === 401) session.reject(request.headers.get("authorization"));
      return reply;
    },
  });
  return {
    api,
    query: createQueryHooks(api),
    paymentProvider: config.paymentProvider,
    wechatAppid: isInWechat ? config.wechatAppid : undefined,
  };
}

export function StoreProvider({ access, children }: { access: StoreAccess; children: ReactNode }) {
  return <StoreContext value={access}>{children}</StoreContext>;
}

/** Writes: `const api = useStore()`, then within `useAction`. */
export function useStore(): Store["api"] {
  return useContext(StoreContext)!.api;
}

/** The payment provider of this installation; undefined where members pay offline. */
export function usePaymentProvider(): string | undefined {
  return useContext(StoreContext)!.paymentProvider;
}

/** The app with which members sign in as users of WeChat; undefined outside of WeChat, and where the store has no service account. */
export function useWechatAppid(): string | undefined {
  return useContext(StoreContext)!.wechatAppid;
}

/** Reads: `useApi().useQuery("get", "/api/user")`. */
export function useApi(): OpenapiQueryClient<ApiPaths> {
  return useContext(StoreContext)!.query;
}
