import { asPoints } from "./amounts.ts";

/** What the store tells about something that happened. Subjects and members are numbered as in the model. */
export interface Told {
  type: string;
  /** A member, order, withdrawal or adjustment, by the type; the day of a release as YYYYMMDD. */
  subject: number;
  member: number | null;
  payload: Record<string, unknown>;
  /** A refund is named by its position among those of its order. */
  cause: string;
}

/** Points as a number of JSON. */
export const asNumber = (points: bigint) => Number(asPoints(points));
