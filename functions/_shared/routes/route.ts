import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Caller } from "../access/authentication.ts";
import type { Arguments, Claims, FunctionName } from "../database/database.ts";
import type { ErrorCode } from "../responses/error_registry.ts";
import type { CsvFile, serveCsv } from "../files/serve_csv.ts";
import type { Service } from "./service.ts";
import type { Tag } from "./tags.ts";

const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** The validated parts of a request. */
export interface Input<Path extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  path: z.output<Path>;
  query: z.output<Query>;
  body: z.output<Body>;
}

/** A custom handler. It receives the raw request of an authorized caller and returns the response. */
export type RouteHandler = (c: Context, claims: Claims) => Promise<Response>;

/** The declaration of an endpoint. Handling, validation and the OpenAPI document are derived from it. */
export interface Route<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  ResponseSchema extends z.ZodType = z.ZodType,
> {
  method: "get" | "post" | "put" | "delete";
  /** Starts with the name of the edge function. Parameters are in braces: `/api/order/{id}`. */
  path: string;
  auth: Caller;
  tag: Tag;
  summary: string;
  description?: string;
  request: { path: Path; query: Query; body: Body };
  /** Status of a successful response. */
  status: 200 | 201;
  /**
   * The result of the database, which is passed on as text. The schema documents it, and tests validate responses
   * against it.
   */
  response: ResponseSchema;
  /** Errors specific to this endpoint. Errors that every endpoint can return are added. */
  errors: readonly ErrorCode[];
  /** The function in schema api that implements the endpoint. */
  calls: FunctionName;
  /** The response may be a moment old, so a standby may answer (docs/scale.md). Never for what decides about money. */
  standby?: true;
  /**
   * For a response that is read again and again: it has an ETag, and while it is unchanged, its reader gets a 304
   * without a body.
   */
  revalidates?: true;
  /** The request is part of a payment. It comes before others, and is not refused before its caller is known. */
  isPayment?: true;
  /**
   * Maps the request to the arguments of the function, without computing anything: rules belong to the function. By
   * default, each field of the path, the query and the body is the parameter of the same name: `uid` is `p_uid`.
   */
  args(input: Input<Path, Query, Body>, service: Service): Arguments<FunctionName>;
  /** Starts background work after a successful response. */
  afterwards?(service: Service): void;
  /** Media type of the body, which a custom handler reads. The default is JSON. */
  takes?: string;
  /** Media type of a successful response. The default is JSON. */
  media?: string;
  /**
   * The response is a file of these columns, whose lines `calls` returns chunk by chunk (see serve_csv.ts and
   * serve_xlsx.ts).
   */
  file?: CsvFile & { serve: typeof serveCsv };
  /** The response is a JSON file of this name, whose records `calls` returns chunk by chunk (see serve_records.ts). */
  records?: { name: string };
  /**
   * Creates a custom handler for a request that needs more than one call. It replaces validation, the call and the
   * response.
   */
  handler?(service: Service, route: Route): RouteHandler;
  /** Schema of error responses, if the caller expects another format than problem+json. */
  errorResponse?: z.ZodType;
}

/**
 * Whether a request may change something. A custom handler may do so when it is read, too: a payment is looked up at
 * its provider.
 */
export function mayChange(route: Route): boolean {
  return route.method !== "get" || route.handler !== undefined;
}

/** What the store posts to other systems, for the OpenAPI document. */
export interface Message {
  name: string;
  summary: string;
  description: string;
  body: z.ZodType;
}

/** An edge function: its name, with which its paths start, its routes, and the messages that its document describes. */
export interface AppDefinition {
  name: string;
  title: string;
  /** Who calls it, and for what. */
  description: string;
  routes: readonly Route[];
  messages?: readonly Message[];
}

type RouteDeclaration<
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  ResponseSchema extends z.ZodType,
  Name extends FunctionName,
  Args,
> = Omit<Route<Path, Query, Body, ResponseSchema>, "request" | "status" | "errors" | "calls" | "args" | "handler"> &
  Partial<Pick<Route<Path, Query, Body, ResponseSchema>, "status" | "errors">> & {
    request?: { path?: Path; query?: Query; body?: Body };
  } & { calls: Name } & (
    | { handler: NonNullable<Route["handler"]> }
    | ({ handler?: never } & ArgumentsOf<
        Name,
        FieldsOf<Path, Query, Body>,
        (input: Input<Path, Query, Body>, service: Service) => Args & NoUnknownKeys<Args, Arguments<Name>>
      >)
  );

/** Fields as parameters of the same names. */
type Named<Fields> = { [Key in keyof Fields & string as string extends Key ? never : `p_${Key}`]: Fields[Key] };

/** What a request has for the parameters. Without an optional body, its fields are absent. */
type FieldsOf<Path extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = Named<z.output<Path>> &
  Named<z.output<Query>> &
  (undefined extends z.output<Body> ? Partial<Named<NonNullable<z.output<Body>>>> : Named<z.output<Body>>);

/** The `args` of a declaration, which are optional if the fields of the request are the arguments of the function. */
type ArgumentsOf<Name extends FunctionName, Fields, Make> =
  Fields extends Arguments<Name>
    ? [Exclude<keyof Fields, keyof Arguments<Name>>] extends [never]
      ? { args?: Make }
      : { args: Make }
    : { args: Make };

/** Rejects argument names that the function does not have. */
type NoUnknownKeys<Args, Known> = Record<Exclude<keyof Args, keyof Known>, never>;

/**
 * Declares an endpoint. By default it has no input, responds with 200 and calls the function with the fields of the
 * request as arguments. The body is optional if its schema accepts `undefined`. Without a body schema, only an absent
 * body or an empty object is accepted.
 */
export function defineRoute<
  Path extends z.ZodObject = Nothing,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodType = z.ZodOptional<Nothing>,
  ResponseSchema extends z.ZodType = z.ZodType,
  Name extends FunctionName = FunctionName,
  Args extends Arguments<Name> = Arguments<Name>,
>({
  request,
  ...declaration
}: RouteDeclaration<Path, Query, Body, ResponseSchema, Name, Args>): Route<Path, Query, Body, ResponseSchema> {
  return {
    status: 200,
    errors: [],
    args: ({ path, query, body }) =>
      Object.fromEntries(
        Object.entries({ ...path, ...query, ...(body as object | undefined) }).map(([name, value]) => [
          `p_${name}`,
          value,
        ]),
      ),
    ...declaration,
    request: {
      path: request?.path ?? (nothing as unknown as Path),
      query: request?.query ?? (nothing as unknown as Query),
      body: request?.body ?? (nothing.optional() as unknown as Body),
    },
  };
}
