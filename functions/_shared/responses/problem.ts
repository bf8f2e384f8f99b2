import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { respond } from "./respond.ts";
import { inChinese } from "./chinese.ts";
import { type ErrorCode, errorEntry } from "./error_registry.ts";
import { preferredLanguage } from "./language.ts";

/** An invalid field of a request. `pointer` is a JSON Pointer into the part of the request that `in` names. */
export interface FieldError {
  in: "path" | "query" | "body" | "header";
  pointer: string;
  detail: string;
}

interface ProblemOptions {
  /** An English sentence for the client. The default is the hint of the error code. */
  detail?: string | undefined;
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** The original error. It is logged but never sent to the client. */
  cause?: unknown;
}

/** An error response. It can be thrown anywhere in a route; `respondWithProblem` converts it to problem+json. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** The body of a problem (RFC 9457) in the language that the client prefers (English or Chinese). */
export function problemBody(c: Context, problem: Problem): object {
  const { title, title_zh, hint, hint_zh, status } = errorEntry(problem.code);
  const isChinese = preferredLanguage(c) === "zh";
  const localize = (sentence: string) => (isChinese ? inChinese(sentence) : sentence);
  return {
    type: `urn:problem-type:store:${problem.code}`,
    title: isChinese ? title_zh : title,
    status,
    detail: problem.detail ? localize(problem.detail) : isChinese ? hint_zh : hint,
    code: problem.code,
    request_id: c.get("requestId"),
    ...(problem.errors && { errors: problem.errors.map((error) => ({ ...error, detail: localize(error.detail) })) }),
  };
}

/** Creates a problem response. */
export function respondWithProblem(c: Context, problem: Problem): Response {
  const { status, retry_after } = errorEntry(problem.code);
  return respond(c, JSON.stringify(problemBody(c, problem)), status as ContentfulStatusCode, {
    "content-type": "application/problem+json; charset=utf-8",
    "content-language": preferredLanguage(c),
    vary: "Accept-Language",
    ...(retry_after && { "retry-after": String(retry_after) }),
    ...(status === 401 && { "www-authenticate": bearerChallenge(problem.code) }),
    ...problem.headers,
  });
}

function bearerChallenge(code: ErrorCode): string {
  return code === "unauthenticated" ? "Bearer" : `Bearer error="invalid_token"`;
}
