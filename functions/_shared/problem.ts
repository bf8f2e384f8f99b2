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

/** Creates a problem response (RFC 9457) in the language that the client prefers (English or Chinese). */
export function respondWithProblem(c: Context, problem: Problem): Response {
  const { title, title_zh, hint, hint_zh, retry_after, ...entry } = errorEntry(problem.code);
  const status = entry.status as ContentfulStatusCode;
  const language = preferredLanguage(c);
  const isChinese = language === "zh";
  const localize = (sentence: string) => (isChinese ? inChinese(sentence) : sentence);
  const body = {
    type: `urn:problem-type:store:${problem.code}`,
    title: isChinese ? title_zh : title,
    status,
    detail: problem.detail ? localize(problem.detail) : isChinese ? hint_zh : hint,
    code: problem.code,
    request_id: c.get("requestId"),
    ...(problem.errors && { errors: problem.errors.map((error) => ({ ...error, detail: localize(error.detail) })) }),
  };
  return respond(c, JSON.stringify(body), status, {
    "content-type": "application/problem+json; charset=utf-8",
    "content-language": language,
    vary: "Accept-Language",
    ...(retry_after && { "retry-after": String(retry_after) }),
    ...(status === 401 && { "www-authenticate": bearerChallenge(problem.code) }),
    ...problem.headers,
  });
}

function bearerChallenge(code: ErrorCode): string {
  return code === "unauthenticated" ? "Bearer" : `Bearer error="invalid_token"`;
}
