import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { answer } from "./answer.ts";
import { type ErrorCode, errorEntry } from "./error_registry.ts";

/** One field of a request that cannot be accepted. `pointer` is a JSON Pointer into the part named by `in`. */
export interface FieldError {
  in: "path" | "query" | "body" | "header";
  pointer: string;
  detail: string;
}

interface ProblemOptions {
  /** A sentence for the client; the registry's hint is used where it is absent. */
  detail?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** What really happened: for the log only, never sent. */
  cause?: unknown;
}

/** An answer other than success. Thrown anywhere below a route; answered as problem+json in one place. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.detail = options.detail || errorEntry(code).hint;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** Writes a problem as RFC 9457 JSON, its title in the language the client prefers (English or Chinese). */
export function respondWithProblem(c: Context, problem: Problem): Response {
  const { title, title_zh, retry_after, ...entry } = errorEntry(problem.code);
  const status = entry.status as ContentfulStatusCode;
  const language = preferredLanguage(c);
  const body = {
    type: `urn:problem-type:store:${problem.code}`,
    title: language === "zh" ? title_zh : title,
    status,
    detail: problem.detail,
    code: problem.code,
    request_id: c.get("requestId"),
    ...(problem.errors && { errors: problem.errors }),
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

function preferredLanguage(c: Context): string {
  return accepts(c, {
    header: "Accept-Language",
    supports: ["en", "zh"],
    default: "en",
    match: (accepted, { supports, default: fallback }) => {
      const languages = [...accepted].sort((a, b) => b.q - a.q).map(({ type }) => type.toLowerCase().split("-")[0]);
      return languages.find((language) => supports.includes(language)) ?? fallback;
    },
  });
}
