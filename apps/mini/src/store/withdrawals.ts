import type { Api } from "../../../client/index.ts";
import { formatMoney } from "../../../../functions/_shared/words/figures.ts";
import { fill, texts } from "../texts/texts.ts";

type Withdrawal = Api["Withdrawal"];
const t = texts.withdrawals;

/** The state of a withdrawal. While WeChat has not decided, it is what WeChat says. */
export const withdrawalState = ({ state, transfer_state }: Withdrawal) =>
  state === "paying" && transfer_state ? t.transferState[transfer_state] : t.state[state];

/** Whether the amount has returned to the balance. */
export const isReturned = ({ state }: Withdrawal) => state === "refused" || state === "failed" || state === "cancelled";

/** Why it was refused or failed. WeChat gives a code, which this program may not know. */
export const reasonText = ({ method, reason }: Withdrawal) =>
  (method === "wechat" && (t.transferReason as Partial<Record<string, string>>)[reason ?? ""]) || reason;

/** To where it goes. */
export const targetText = ({ method, account }: Withdrawal) =>
  account === "" || method === "wechat" ? t.method[method] : account;

/** Why the member cannot withdraw now; empty if they can. */
export function obstacleText({ obstacle, methods }: Api["WithdrawalTerms"]): string {
  switch (obstacle) {
    case "no_method":
      return t.closed;
    case "withdrawal_open":
      return t.open;
    case "too_little":
      return fill(t.tooLittle, {
        minimum: formatMoney(Math.min(...methods.map(({ minimum }) => Number(minimum))).toFixed(2)),
      });
    case null:
      return "";
  }
}
