import { type Calls, createCalls, type Method } from "./calls.ts";
import type { ApiRoutes, StoreOptions } from "./index.ts";

/** The part of `wx.request` that the client uses. */
export type WxRequest = (options: {
  url: string;
  method: Method;
  header: Record<string, string>;
  data?: string;
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
export type MiniProgramResponse = Pick<Response, "ok" | "status" | "text"> & { headers: Pick<Headers, "get"> };

/** A client with the methods and types of `createStore(…).api`, except for `response`. */
export type MiniProgramApi = Calls<ApiRoutes, MiniProgramResponse>;

/** No response arrived: there is no network, or the address is not among the domains of the mini program. */
export class NoResponse extends Error {}

/** Creates a client of the store for a mini program. */
export function createMiniProgramApi({ request, language = "zh-CN", ...caller }: MiniProgramOptions): MiniProgramApi {
  return createCalls(
    caller,
    ({ url, method, headers, body }) =>
      new Promise((resolve, reject) => {
        request({
          url,
          method,
          header: { "accept-language": language, ...headers },
          ...(body !== undefined && { data: body }),
          dataType: "text",
          success: ({ statusCode: status, data, header = {} }) => {
            const get = (name: string) => Object.entries(header).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? null;
            resolve({ ok: status >= 200 && status < 300, status, headers: { get }, text: async () => String(data) });
          },
          fail: ({ errMsg }) => reject(new NoResponse(errMsg)),
        });
      }),
  );
}
