import { ERRORS } from "./error_codes.ts";

/** The definition of one error code, of which app.error_codes has all. */
export interface ErrorEntry {
  /** HTTP status. */
  readonly status: number;
  /** The problem's title in English. */
  readonly title: string;
  /** The problem's title in Chinese, sent to clients that prefer Chinese. */
  readonly title_zh: string;
  /** What the client should do next. Also the problem's detail, unless a more specific one is given. */
  readonly hint: string;
  /** The hint in Chinese. */
  readonly hint_zh: string;
  /** Seconds for the Retry-After header, if a retry may succeed and the error does not say when. */
  readonly retry_after?: number;
}

/** The stable code of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** Whether a text, such as the message of a database error, is one of our codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** The definition of a code, typed so that its optional fields are visible to the type checker. */
export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code];
}
