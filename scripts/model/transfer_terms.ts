import { money } from "./amounts.ts";
import type { Transfer } from "./state.ts";
import { reject } from "./store.ts";
import { DAY } from "./time.ts";

/** The settings of the database under test, for amounts less the fee. */
export const TRANSFER_LIMITS = { minimum: "2.50", maximum: "2000.00", nameFrom: "500.00" };

/** How long WeChat reports a transfer. */
const REPORTED = 30 * DAY;

/** Every fourth member does not sign in with WeChat. */
export const hasWechat = (member: number) => member % 4 !== 0;

/** Whether WeChat transfers this amount less the fee. */
export function canBeTransferred(net: bigint, isNamed: boolean): boolean {
  return (
    net >= money(TRANSFER_LIMITS.minimum) &&
    net <= money(TRANSFER_LIMITS.maximum) &&
    (isNamed || net < money(TRANSFER_LIMITS.nameFrom))
  );
}

export function newTransfer(member: number, net: bigint): Transfer {
  if (!hasWechat(member)) reject("account_not_found");
  return {
    isNamed: net >= money(TRANSFER_LIMITS.nameFrom),
    firstAskedAt: null,
    askedAt: null,
    isCancelled: false,
    state: null,
    hasCall: false,
  };
}

export function endsByHand({ firstAskedAt }: Transfer, now: number): boolean {
  return firstAskedAt !== null && firstAskedAt <= now - REPORTED;
}
