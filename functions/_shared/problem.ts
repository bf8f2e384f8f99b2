import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { answer } from "./answer.ts";
import { inChinese } from "./chinese.ts";
import { type ErrorCode, errorEntry } from "./error_registry.ts";
import { preferredLanguage } from "./language.ts";

/** One field of a request that cannot be accepted. `pointer` is a JSON Pointer into the part named by `in`. */
export interface FieldError {
  in: "path" | "query" | "body" | "header";
  pointer: string;
  detail: string;
}

interface ProblemOptions {
  /** A sentence for the client, in English; the registry's hint is used where there is none. */
  detail?: string | undefined;
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** What really happened: for the log only, never sent. */
  cause?: unknown;
}

/** An answer other than success. Thrown anywhere below a route; answered as problem+json in one place. */
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

/** Writes a problem as RFC 9457 JSON, in the language the client prefers (English or Chinese). */
export function respondWithProblem(c: Context, problem: Problem): Response {
  const { title, title_zh, hint, hint_zh, retry_after, ...entry } = errorEntry(problem.code);
  const status = entry.status as ContentfulStatusCode;
  const language = preferredLanguage(c);
  const isChinese = language === "zh";
  const said = (sentence: string) => isChinese ? inChinese(sentence) : sentence;
  const body = {
    type: `urn:problem-type:store:${problem.code}`,
    title: isChinese ? title_zh : title,
    status,
    detail: problem.detail ? said(problem.detail) : isChinese ? hint_zh : hint,
    code: problem.code,
    request_id: c.get("requestId"),
    ...(problem.errors && { errors: problem.errors.map((error) => ({ ...error, detail: said(error.detail) })) }),
  };
  return answer(c, JSON.stringify(body), status, {
    "content-type": "application/problem+json; charset=utf-8",
    "content-language": language,
    "vary": "Accept-Language",
    ...(retry_after && { "retry-after": String(retry_after) }),
    ...(status === 401 && { "www-authenticate": bearerChallenge(problem.code) }),
    ...problem.headers,
  });
}

function bearerChallenge(code: ErrorCode): string {
  return code === "unauthenticated" ? "Bearer" : `Bearer error="invalid_token"`;
}
