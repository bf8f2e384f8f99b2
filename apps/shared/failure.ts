import i18next from "i18next";
import { type Problem, StoreError } from "../client/index.ts";
import { PictureTooLarge } from "./picture_too_large.ts";

/** An error as it is shown to people. */
export interface Failure {
  title: string;
  detail: string;
  /** The error code; undefined if the store did not respond. */
  code?: Problem["code"];
  /** By which the store finds an unexpected error in its logs. An error that the text explains needs none. */
  requestId?: string;
  /** Whether a retry may succeed. */
  passing: boolean;
  /** Messages by field path, such as `tasks.direct_orders`. */
  fields: Record<string, string>;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "title" in value;
}

function fieldsOf({ errors = [] }: Problem): Record<string, string> {
  const ofBody = errors.filter((error) => error.in === "body");
  return Object.fromEntries(ofBody.map(({ pointer, detail }) => [pointer.slice(1).replaceAll("/", "."), detail]));
}

/** Converts anything thrown: a problem document, an unexpected response, or no response. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PictureTooLarge) {
    return {
      title: i18next.t("failure.pictureTooLarge.title"),
      detail: i18next.t("failure.pictureTooLarge.advice"),
      passing: false,
      fields: {},
    };
  }
  const problem = error instanceof StoreError ? error.problem : error;
  if (!isProblem(problem)) {
    return {
      title: i18next.t("failure.unreachable.title"),
      detail: i18next.t("failure.unreachable.advice"),
      passing: true,
      fields: {},
    };
  }
  const { title, detail, code, status, request_id } = problem;
  return {
    title,
    detail,
    code,
    ...(status >= 500 && { requestId: request_id }),
    passing: status >= 500 || status === 409,
    fields: fieldsOf(problem),
  };
}
