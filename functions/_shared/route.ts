import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Caller } from "./authentication.ts";
import type { Arguments, Claims, FunctionName } from "./database.ts";
import type { ErrorCode } from "./error_registry.ts";
import type { Service } from "./service.ts";

const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** The validated parts of a request. */
export interface Input<Path extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  path: z.output<Path>;
  query: z.output<Query>;
  body: z.output<Body>;
}

/** Reads a request as it arrived, from a caller who may come here, calls the database and answers. */
export type RouteHandler = (c: Context, claims: Claims) => Promise<Response>;

/** An endpoint: everything that handling, validation and OpenAPI need to know about it. */
export interface Route<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: "get" | "post" | "put" | "delete";
  /** With the slug of the edge function first and parameters in braces: `/api/order/{id}`. */
  path: string;
  auth: Caller;
  tag: string;
  summary: string;
  description?: string;
  request: { path: Path; query: Query; body: Body };
  /** Status of success. */
  status: 200 | 201;
  /** What the database answers. It is passed on as text; the schema documents it and is what tests check. */
  answer: Answer;
  /** Errors of this endpoint's own; those that every endpoint can give are added. */
  errors: readonly ErrorCode[];
  /** The function of schema api that does the work. */
  calls: FunctionName;
  /** How the request becomes the function's arguments. Money, points and rules are the function's business. */
  args(input: Input<Path, Query, Body>, service: Service): Arguments<FunctionName>;
  /** Work of the service itself that is started after a successful answer. */
  afterwards?(service: Service): void;
  /** Media type of a success; JSON unless set. */
  media?: string;
  /** Set where one call is not all there is to it: this, made once, takes the place of reading, calling and answering. */
  handler?(service: Service, route: Route): RouteHandler;
  /** Form of the answers that are no success, where who asks is no client of ours and reads no problems. */
  refusal?: z.ZodType;
}

/** An edge function: its slug, which its paths start with, and its routes. */
export interface AppDefinition {
  name: string;
  title: string;
  routes: readonly Route[];
}

type RouteDeclaration<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType, Name extends FunctionName, Given> =
  & Omit<Route<Path, Query, Body, Answer>, "request" | "status" | "errors" | "calls" | "args" | "handler">
  & Partial<Pick<Route<Path, Query, Body, Answer>, "status" | "errors">>
  & { request?: { path?: Path; query?: Query; body?: Body } }
  & { calls: Name }
  & (
    | { handler: NonNullable<Route["handler"]> }
    | { handler?: never } & ArgumentsOf<Name, (input: Input<Path, Query, Body>, service: Service) => Given & NoOthers<Given, Arguments<Name>>>
  );

/** What makes the arguments; it may be left out where the function needs none. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- asks whether no property is required
type ArgumentsOf<Name extends FunctionName, Make> = Record<never, never> extends Arguments<Name> ? { args?: Make } : { args: Make };

/** Refuses names that the function does not have. */
type NoOthers<Given, Known> = Record<Exclude<keyof Given, keyof Known>, never>;

/**
 * Declares an endpoint. What is left out takes no input, answers 200 and calls the function without arguments. A body
 * schema that accepts `undefined` makes the body optional; where none is given, no body or an empty object is accepted.
 */
export function defineRoute<
  Path extends z.ZodObject = Nothing,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodType = z.ZodOptional<Nothing>,
  Answer extends z.ZodType = z.ZodType,
  Name extends FunctionName = FunctionName,
  Given extends Arguments<Name> = Arguments<Name>,
>({ request, ...declaration }: RouteDeclaration<Path, Query, Body, Answer, Name, Given>): Route<Path, Query, Body, Answer> {
  return {
    status: 200,
    errors: [],
    args: () => ({}),
    ...declaration,
    request: {
      path: request?.path ?? nothing as unknown as Path,
      query: request?.query ?? nothing as unknown as Query,
      body: request?.body ?? nothing.optional() as unknown as Body,
    },
  };
}
