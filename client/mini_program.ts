import { type Client, createFinalURL, createQuerySerializer, defaultPathSerializer } from "openapi-fetch";
import type { ApiPaths, Problem, StoreOptions } from "./index.ts";
import { keepPosition, knownPosition, STORE_POSITION } from "./position.ts";

/** The part of `wx.request` that the client uses. */
export type WxRequest = (options: {
  url: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
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

/**
 * A client with the methods and types of `createStore(…).api`, except that `response` has only `ok`, `status` and `headers.get`: mini programs
 * have no `fetch`, `Request`, `Response`, `Headers` or `URL`.
 */
export type MiniProgramApi = Pick<Client<ApiPaths>, "GET" | "POST" | "PUT" | "DELETE">;

/** No response arrived: there is no network, or the address is not among the domains of the mini program. */
export class NoResponse extends Error {}

interface Init {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown>; header?: Record<string, unknown> };
  headers?: Record<string, unknown>;
  body?: unknown;
}

/** Creates a client of the store for a mini program. */
export function createMiniProgramApi({ functionsUrl, accessToken, request, language = "zh-CN" }: MiniProgramOptions): MiniProgramApi {
  const urlOf = (path: string, params: NonNullable<Init["params"]> = {}) =>
    createFinalURL(path, {
      baseUrl: functionsUrl.replace(/\/$/, ""),
      params,
      querySerializer: createQuerySerializer(),
      pathSerializer: defaultPathSerializer,
    });

  const call =
    (method: "GET" | "POST" | "PUT" | "DELETE") =>
    async (path: string, { params, headers, body }: Init = {}) => {
      const token = await accessToken?.();
      const header = textsIn({
        accept: "application/json",
        "accept-language": language,
        ...(token && { authorization: `Bearer ${token}` }),
        [STORE_POSITION]: knownPosition(),
        ...headers,
        ...params?.header,
      });
      const content = body === undefined ? {} : { data: JSON.stringify(body) };
      if (body !== undefined) header["content-type"] = "application/json";
      return new Promise((resolve, reject) => {
        request({
          url: urlOf(path, params),
          method,
          header,
          ...content,
          dataType: "text",
          success: (response) => {
            const result = resultOf(response);
            keepPosition(result.response.headers.get(STORE_POSITION));
            resolve(result);
          },
          fail: ({ errMsg }) => reject(new NoResponse(errMsg)),
        });
      });
    };
  return { GET: call("GET"), POST: call("POST"), PUT: call("PUT"), DELETE: call("DELETE") } as unknown as MiniProgramApi;
}

function textsIn(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** What openapi-fetch returns: `data` of a success, `error` of a failure. */
function resultOf({ statusCode: status, data: text, header = {} }: { statusCode: number; data: unknown; header?: Record<string, string> }) {
  const headers = textsIn(header);
  const ok = status >= 200 && status < 300;
  const response = { ok, status, headers: { get: (name: string) => headers[name.toLowerCase()] ?? null } };
  const value = parse(text);
  return ok ? { data: value, response } : { error: (value ?? { status, code: "internal_error", detail: "" }) as Problem, response };
}

function parse(text: unknown): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
