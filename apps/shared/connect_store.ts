import { createCalls, type Sent } from "../client/calls.ts";
import { type AdminRoutes, type ApiRoutes, type Problem, type Store, StoreError } from "../client/index.ts";
import type { Config } from "./config.ts";
import { languageTag } from "./language_tag.ts";
import type { UploadPicture } from "./upload_picture.ts";

/** The typed client, and the upload of pictures. */
export interface ConnectedStore extends Store {
  uploadPicture: UploadPicture;
}

/**
 * Connects the typed client with the session of a site: requests carry its token and the language of the site.
 * @param onRejected called when the store has rejected a token, with the header that contained it
 * @param prove called when the store has refused a request (403), with its code, and whether it only reads; if it
 * returns true, the same request is sent again with the token of then
 */
export function connectStore(
  { supabaseUrl }: Config,
  accessToken: () => Promise<string | undefined>,
  onRejected: (authorization: string | null) => void,
  prove?: (code: Problem["code"], isRead: boolean) => Promise<boolean>,
): ConnectedStore {
  const functionsUrl = `${supabaseUrl}/functions/v1`;
  // Its code is not part of the first page.
  const upload: UploadPicture = async (...picture) => {
    const { createUpload } = await import("./upload_picture.ts");
    return createUpload(functionsUrl, accessToken)(...picture);
  };
  /** Each time a new request: of one that was sent, the body is gone. */
  const send = async ({ url, ...sent }: Sent) => {
    const init = { ...sent, headers: { ...sent.headers, "accept-language": languageTag() } };
    const reply = await fetch(new Request(url, init));
    if (reply.status === 401) onRejected(sent.headers.authorization ?? null);
    if (!prove || reply.status !== 403) return reply;
    const problem = (await reply
      .clone()
      .json()
      .catch(() => undefined)) as Problem | undefined;
    if (!problem || !(await prove(problem.code, sent.method === "GET"))) return reply;
    return fetch(
      new Request(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${await accessToken()}` } }),
    );
  };
  const calls = createCalls<ApiRoutes & AdminRoutes, Response>({ functionsUrl, accessToken }, send);
  return {
    api: calls,
    admin: calls,
    uploadPicture: async (...picture) =>
      upload(...picture).catch(async (error: unknown) => {
        if (error instanceof StoreError && (await prove?.(error.code, false))) return upload(...picture);
        throw error;
      }),
  };
}
