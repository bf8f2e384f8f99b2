import { createStore, type Store } from "../client/index.ts";
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
 */
export function connectStore(
  { supabaseUrl }: Config,
  accessToken: () => Promise<string | undefined>,
  onRejected: (authorization: string | null) => void,
): ConnectedStore {
  const functionsUrl = `${supabaseUrl}/functions/v1`;
  const store = createStore({
    functionsUrl,
    accessToken,
    fetch: async (request) => {
      request.headers.set("accept-language", languageTag());
      const reply = await fetch(request);
      if (reply.status === 401) onRejected(request.headers.get("authorization"));
      return reply;
    },
  });
  return { ...store, uploadPicture: createUpload(functionsUrl, accessToken) };
}
