import { keepPosition, knownPosition, STORE_POSITION } from "./position.ts";
import type { Schemas } from "./types/api.ts";

/** The body of every error response. Base error handling on `code`. */
export type Problem = Schemas["Problem"];

/** The address of the store and the credentials of the caller. */
export interface StoreOptions {
  /** `https://<ref>.supabase.co/functions/v1`, or `functions_url` of the local stack. */
  functionsUrl: string;
  /** Returns the current access token, or undefined while nobody is signed in. Called before every request. */
  accessToken?: () => Promise<string | undefined> | string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The methods of the routes. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Route {
  request: { path?: unknown; query?: unknown; headers?: unknown; body?: unknown };
  response: unknown;
}

/** The routes of an edge function by method and path, as generated in `types/`. */
export type Routes = Record<Method, Record<string, Route>>;

/** The parameters of a request by the place where they stand. */
type Params<Request> = {
  [
    Place in keyof Request as Place extends "path" | "query" ? Place : Place extends "headers" ? "header" : never
  ]: Request[Place];
};

/** Settings of `fetch`, such as `signal`. */
type FetchOptions = Omit<RequestInit, "method" | "headers" | "body">;

interface CallOptions extends FetchOptions {
  /** Replace those of the client. A header that is undefined is not sent. */
  headers?: Record<string, string | undefined>;
  /** Leaves the body of a success to the caller, as `data`, for files: a stream, or in a mini program its text. */
  parseAs?: "stream";
}

/** Parameters, body and options of a call. */
export type Init<Request extends Route["request"]> = Pick<Request, "body"> &
  (Partial<Params<Request>> extends Params<Request> ? { params?: Params<Request> } : { params: Params<Request> }) &
  CallOptions;

/** The input of a call. It may be missing if the route requires none. */
export type Input<Request extends Route["request"]> =
  Partial<Init<Request>> extends Init<Request> ? [init?: Init<Request>] : [init: Init<Request>];

/** `data` of a success, `error` of a failure. */
export type Reply<Data, Response = unknown> =
  | { data: Data; error?: undefined; response: Response }
  | { data?: undefined; error: Problem; response: Response };

/** A function for each method, which calls a route by its path. */
export type Calls<All extends Routes, Response> = {
  [M in Method]: <Path extends keyof All[M]>(
    path: Path,
    ...input: Input<All[M][Path]["request"]>
  ) => Promise<Reply<All[M][Path]["response"], Response>>;
};

/** A request as `fetch` takes it. */
export interface Sent extends FetchOptions {
  url: string;
  method: Method;
  headers: Record<string, string>;
  body?: string;
}

/** The part of a response that is read here. */
interface Received {
  ok: boolean;
  headers: { get: (name: string) => string | null };
  text: () => Promise<string>;
  body?: unknown;
}

/** Creates the calls of an edge function. @param send sends a request and returns its response */
export function createCalls<All extends Routes, Response extends Received>(
  { functionsUrl, accessToken }: Pick<StoreOptions, "functionsUrl" | "accessToken">,
  send: (request: Sent) => Promise<Response>,
): Calls<All, Response> {
  const call =
    (method: Method) =>
    async (
      path: string,
      { params = {}, headers, body, parseAs, ...options }: UntypedInit = {},
    ): Promise<Reply<unknown, Response>> => {
      const token = await accessToken?.();
      const response = await send({
        ...options,
        url: functionsUrl.replace(/\/$/, "") + pathOf(path, params.path) + queryOf(params.query),
        method,
        headers: Object.fromEntries(
          textsOf({
            authorization: token && `Bearer ${token}`,
            // A caller who has written something reads it, also where a standby answers.
            [STORE_POSITION]: knownPosition(),
            "content-type": body === undefined ? undefined : "application/json",
            ...headers,
            ...params.header,
          }),
        ),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      keepPosition(response.headers.get(STORE_POSITION));
      if (response.ok && parseAs === "stream") return { data: response.body, response };
      // All other responses of the store are JSON. Those of a proxy are not, and are thrown like a lost connection.
      const content: unknown = JSON.parse(await response.text());
      return response.ok ? { data: content, response } : { error: content as Problem, response };
    };
  return { GET: call("GET"), POST: call("POST"), PUT: call("PUT"), DELETE: call("DELETE") } as Calls<All, Response>;
}

type Values = Record<string, string | number | boolean | null | undefined>;
type UntypedInit = CallOptions & { params?: { path?: Values; query?: Values; header?: Values }; body?: unknown };

const pathOf = (path: string, values: Values = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));

// Mini programs have no URLSearchParams.
function queryOf(values: Values = {}): string {
  const query = textsOf(values).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return query.length > 0 ? `?${query.join("&")}` : "";
}

const textsOf = (values: Values) =>
  Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
