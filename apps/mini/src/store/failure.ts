import { StoreError } from "../../../client/index.ts";
import { texts } from "../texts/texts.ts";

/** An error as it is shown to people. */
export interface Failure {
  title: string;
  detail: string;
  /** By which the store finds an unexpected error in its logs. */
  requestId: string;
}

/** Something that WeChat or the phone refused, with words of the mini program. */
export class Refused extends Error {
  constructor(
    readonly title: string,
    readonly advice: string,
  ) {
    super(title);
  }
}

/** Converts anything thrown: an error of the store, a refusal, or no response. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refused) return { title: error.title, detail: error.advice, requestId: "" };
  if (!(error instanceof StoreError)) {
    const { title, advice } = texts.common.failure.unreachable;
    return { title, detail: advice, requestId: "" };
  }
  const { title, detail, errors = [], status, request_id } = error.problem;
  return {
    title,
    detail: [...new Set([detail, ...errors.map((each) => each.detail)])].join(" "),
    requestId: status >= 500 ? request_id : "",
  };
}
