import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { components as AdminComponents, paths as AdminPaths } from "./types/adminapi.ts";
import type { components as ApiComponents, paths as ApiPaths } from "./types/api.ts";

export type { AdminPaths, ApiPaths };

/** Schemas by name: `Api["Order"]`, `Admin["Overview"]`. */
export type Api = ApiComponents["schemas"];
export type Admin = AdminComponents["schemas"];

/** Every refusal has this form; act on `code`. */
export type Problem = Api["Problem"];

/** Where the store is and who calls it. */
export interface StoreOptions {
  /** `https://<ref>.supabase.co/functions/v1`, or that of the local stack. */
  functionsUrl: string;
  /** The access token of the moment, or undefined while nobody is signed in. Asked for before every request. */
  accessToken?: () => Promise<string | undefined> | string | undefined;
  /** Where `fetch` is not the one to use. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Both edge functions, with paths, parameters, bodies and answers typed from their OpenAPI documents. */
export interface Store {
  api: Client<ApiPaths>;
  admin: Client<AdminPaths>;
}

/** A refusal by the store, thrown by `answerOf`. */
export class StoreError extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "StoreError";
  }
  get code(): Problem["code"] {
    return this.problem.code;
  }
}

/** Makes a client of the store. */
export function createStore({ functionsUrl, accessToken, fetch }: StoreOptions): Store {
  const signIn: Middleware = {
    async onRequest({ request }) {
      const token = await accessToken?.();
      if (token) request.headers.set("authorization", `Bearer ${token}`);
      return request;
    },
  };
  const options = { baseUrl: functionsUrl, ...(fetch && { fetch }) };
  const store = { api: createClient<ApiPaths>(options), admin: createClient<AdminPaths>(options) };
  for (const client of [store.api, store.admin]) client.use(signIn);
  return store;
}

/** Waits for an answer and returns what is in it. @throws StoreError with the problem where there is none */
export async function answerOf<Data>(reply: Promise<{ data?: Data; error?: unknown }>): Promise<NonNullable<Data> | Extract<Data, null>> {
  const { data, error } = await reply;
  if (error !== undefined) throw new StoreError(error as Problem);
  return data as NonNullable<Data> | Extract<Data, null>;
}
