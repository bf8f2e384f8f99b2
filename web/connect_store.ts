import { createStore, type Problem, type Store, StoreError } from "../client/index.ts";
import type { Config } from "./config.ts";
import { languageTag } from "./language_tag.ts";
import { createUpload, type UploadPicture } from "./upload_picture.ts";

/** The typed client, and the upload of pictures. */
export interface ConnectedStore extends Store {
  uploadPicture: UploadPicture;
}

/**
 * Connects the typed client with the session of a site: requests carry its token and the language of the site.
 * @param onRejected called when the store has rejected a token, with the header that contained it
 * @param prove called when the store has refused a request (403), with its code, and whether it only reads; if it returns true, the same request is sent again with the token of then
 */
export function connectStore(
  { supabaseUrl }: Config,
  accessToken: () => Promise<string | undefined>,
  onRejected: (authorization: string | null) => void,
  prove?: (code: Problem["code"], isRead: boolean) => Promise<boolean>,
): ConnectedStore {
  const functionsUrl = `${supabaseUrl}/functions/v1`;
  const upload = createUpload(functionsUrl, accessToken);
  const store = createStore({
    functionsUrl,
    accessToken,
    fetch: async (request) => {
      request.headers.set("accept-language", languageTag());
      const again = prove && request.clone();
      const reply = await fetch(request);
      if (reply.status === 401) onRejected(request.headers.get("authorization"));
      if (!again || reply.status !== 403) return reply;
      const problem = (await reply
        .clone()
        .json()
        .catch(() => undefined)) as Problem | undefined;
      if (!problem || !(await prove(problem.code, request.method === "GET"))) return reply;
      again.headers.set("authorization", `Bearer ${await accessToken()}`);
      return fetch(again);
    },
  });
  return {
    ...store,
    uploadPicture: async (...picture) =>
      upload(...picture).catch(async (error: unknown) => {
        if (error instanceof StoreError && (await prove?.(error.code, false))) return upload(...picture);
        throw error;
      }),
  };
}
