import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { components as AdminComponents, paths as AdminPaths } from "./types/adminapi.ts";
import { keepPosition, knownPosition, STORE_POSITION } from "./position.ts";
import type { components as ApiComponents, paths as ApiPaths } from "./types/api.ts";

export type { AdminPaths, ApiPaths };

/** Schemas by name: `Api["Order"]`, `Admin["Overview"]`. */
export type Api = ApiComponents["schemas"];
export type Admin = AdminComponents["schemas"];

/** The body of every error response. Base error handling on `code`. */
export type Problem = Api["Problem"];

/** The address of the store and the credentials of the caller. */
export interface StoreOptions {
  /** `https://<ref>.supabase.co/functions/v1`, or `functions_url` of the local stack. */
  functionsUrl: string;
  /** Returns the current access token, or undefined while nobody is signed in. Called before every request. */
  accessToken?: () => Promise<string | undefined> | string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Clients of both edge functions. Paths, parameters, bodies and responses are typed from the OpenAPI documents. */
export interface Store {
  api: Client<ApiPaths>;
  admin: Client<AdminPaths>;
}

/** An error response of the store, thrown by `unwrap`. */
export class StoreError extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "StoreError";
  }
  get code(): Problem["code"] {
    return this.problem.code;
  }
}

/** Creates a client of the store. */
export function createStore({ functionsUrl, accessToken, fetch }: StoreOptions): Store {
  const signIn: Middleware = {
    async onRequest({ request }) {
      const token = await accessToken?.();
      if (token) request.headers.set("authorization", `Bearer ${token}`);
      return request;
    },
  };
  // A caller who has written something reads it, also where a standby answers.
  const readOwnWrites: Middleware = {
    onRequest({ request }) {
      const position = knownPosition();
      if (position !== undefined) request.headers.set(STORE_POSITION, position);
      return request;
    },
    onResponse({ response }) {
      keepPosition(response.headers.get(STORE_POSITION));
    },
  };
  const options = { baseUrl: functionsUrl, ...(fetch && { fetch }) };
  const store = { api: createClient<ApiPaths>(options), admin: createClient<AdminPaths>(options) };
  for (const client of [store.api, store.admin]) client.use(signIn, readOwnWrites);
  return store;
}

/** Waits for a response and returns its body. @throws StoreError if the store returns an error */
export async function unwrap<Data>(reply: Promise<{ data?: Data; error?: unknown }>): Promise<NonNullable<Data> | Extract<Data, null>> {
  const { data, error } = await reply;
  if (error !== undefined) throw new StoreError(error as Problem);
  return data as NonNullable<Data> | Extract<Data, null>;
}
