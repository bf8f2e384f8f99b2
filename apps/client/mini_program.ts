import { type Calls, createCalls, type Method, type Problem, type Reply } from "./calls.ts";
import type { ApiRoutes, StoreOptions } from "./index.ts";
import type { UploadedPictures } from "./pictures.ts";

/** The part of `wx.request` that the client uses. */
export type WxRequest = (options: {
  url: string;
  method: Method;
  header: Record<string, string>;
  data?: string | ArrayBuffer;
  /** The response stays text: `wx.request` would parse numbers and null itself. */
  dataType: "text";
  success: (response: { statusCode: number; data: unknown; header?: Record<string, string> }) => void;
  fail: (failure: { errMsg: string }) => void;
}) => unknown;

/** The address of the store, the credentials of the caller, and `wx.request`. */
export type MiniProgramOptions = Omit<StoreOptions, "fetch"> & {
  request: WxRequest;
  /** The language of error texts: Chinese by default. `wx.request` does not send that of the phone. */
  language?: "zh-CN" | "en";
};

/** The part of `Response` that mini programs get: they have no `fetch`, `Request`, `Response`, `Headers` or `URL`. */
export type MiniProgramResponse = Pick<Response, "ok" | "status" | "text"> & {
  headers: Pick<Headers, "get">;
  /** What a call with `parseAs` returns: the text of a file, since mini programs have no streams. */
  body: string;
};

/** A client with the methods and types of `createStore(…).api`, except for `response`. */
export type MiniProgramApi = Calls<ApiRoutes, MiniProgramResponse>;

/** No response arrived: there is no network, or the address is not among the domains of the mini program. */
export class NoResponse extends Error {}

interface SentByWx {
  url: string;
  method: Method;
  headers: Record<string, string>;
  body?: string | ArrayBuffer;
}

/** Sends by `wx.request`. */
const createSender =
  ({ request, language = "zh-CN" }: Pick<MiniProgramOptions, "request" | "language">) =>
  ({ url, method, headers, body }: SentByWx): Promise<MiniProgramResponse> =>
    new Promise((resolve, reject) => {
      request({
        url,
        method,
        header: { "accept-language": language, ...headers },
        ...(body !== undefined && { data: body }),
        dataType: "text",
        success: ({ statusCode: status, data, header = {} }) => {
          const get = (name: string) =>
            Object.entries(header).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? null;
          const text = String(data);
          resolve({ ok: status >= 200 && status < 300, status, headers: { get }, body: text, text: async () => text });
        },
        fail: ({ errMsg }) => reject(new NoResponse(errMsg)),
      });
    });

/** Creates a client of the store for a mini program. */
export const createMiniProgramApi = (options: MiniProgramOptions): MiniProgramApi =>
  createCalls(options, createSender(options));

/** Uploads a picture. A repeated upload is another picture. @param content that of its file, JPEG, PNG or WebP */
export type MiniProgramUpload = <Kind extends keyof UploadedPictures>(
  kind: Kind,
  content: ArrayBuffer,
) => Promise<Reply<UploadedPictures[Kind], MiniProgramResponse>>;

/** Creates the upload of pictures for a mini program. */
export function createMiniProgramUpload({
  functionsUrl,
  accessToken,
  ...options
}: MiniProgramOptions): MiniProgramUpload {
  const send = createSender(options);
  return async (kind, content) => {
    const token = await accessToken?.();
    const response = await send({
      url: `${functionsUrl.replace(/\/$/, "")}/picture/${kind}`,
      method: "POST",
      // Any picture: the store looks at its content.
      headers: { "content-type": "image/jpeg", ...(token && { authorization: `Bearer ${token}` }) },
      body: content,
    });
    const reply: unknown = JSON.parse(response.body);
    return response.ok
      ? { data: reply as UploadedPictures[typeof kind], response }
      : { error: reply as Problem, response };
  };
}
