import { createStore, type Store, type StoreOptions } from "../client/index.ts";
import type { Config } from "./config.ts";
import { languageTag } from "./language_tag.ts";

/**
 * Connects the typed client with the session of a site: requests carry its token and the language of the site.
 * @param onRejected called when the store has rejected a token, with the header that contained it
 */
export function connectStore(
  { supabaseUrl }: Config,
  accessToken: NonNullable<StoreOptions["accessToken"]>,
  onRejected: (authorization: string | null) => void,
): Store {
  return createStore({
    functionsUrl: `${supabaseUrl}/functions/v1`,
    accessToken,
    fetch: async (request) => {
      request.headers.set("accept-language", languageTag());
      const reply = await fetch(request);
      if (reply.status === 401) onRejected(request.headers.get("authorization"));
      return reply;
    },
  });
}
