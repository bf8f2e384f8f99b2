import { formatAmount, MONEY_DECIMALS, POINTS_DECIMALS } from "./amounts.ts";
import { shortest } from "./snapshot.ts";

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

export const asMoney = (amount: bigint) => formatAmount(amount, MONEY_DECIMALS);
export const asPoints = (amount: bigint) => Number(shortest(formatAmount(amount, POINTS_DECIMALS)));
