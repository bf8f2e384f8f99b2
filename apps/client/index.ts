import { type Calls, createCalls, type Problem, type Reply, type StoreOptions } from "./calls.ts";
import type { Routes as AdminRoutes, Schemas as AdminSchemas } from "./types/adminapi.ts";
import type { Routes as ApiRoutes, Schemas as ApiSchemas } from "./types/api.ts";

export type { AdminRoutes, ApiRoutes, Problem, StoreOptions };

/** Schemas by name: `Api["Order"]`, `Admin["Overview"]`. */
export type Api = ApiSchemas;
export type Admin = AdminSchemas;

/** Clients of both edge functions. Paths, parameters, bodies and responses are typed from the OpenAPI documents. */
export interface Store {
  api: Calls<ApiRoutes, Response>;
  admin: Calls<AdminRoutes, Response>;
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
export function createStore({ fetch = globalThis.fetch, ...caller }: StoreOptions): Store {
  const calls = createCalls<ApiRoutes & AdminRoutes, Response>(caller, ({ url, ...request }) =>
    fetch(new Request(url, request)),
  );
  return { api: calls, admin: calls };
}

/** Waits for a response and returns its body. @throws StoreError if the store returns an error */
export async function unwrap<Data>(reply: Promise<Reply<Data>>): Promise<Data> {
  const { data, error } = await reply;
  if (error !== undefined) throw new StoreError(error);
  return data;
}
