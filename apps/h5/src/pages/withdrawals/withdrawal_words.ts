import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";

type Withdrawal = Pick<Api["Withdrawal"], "method" | "state" | "transfer_state" | "reason">;

/** The state of a withdrawal. While WeChat has not decided, it is what WeChat says. */
export function useWithdrawalState(): (withdrawal: Withdrawal) => string {
  const { t } = useTranslation("withdrawals");
  return ({ state, transfer_state }) =>
    state === "paying" && transfer_state ? t(`transferState.${transfer_state}`) : t(`state.${state}`);
}

/** Whether the amount has returned to the balance. */
export const isReturned = ({ state }: Pick<Withdrawal, "state">): boolean =>
  state === "refused" || state === "failed" || state === "cancelled";

/**
 * Why a withdrawal was refused or failed. WeChat gives a code, which a newer version of it may have and this app may
 * not know.
 */
export function useWithdrawalReason(): (withdrawal: Withdrawal) => string | null {
  const { t } = useTranslation("withdrawals");
  return ({ method, reason }) =>
    method === "wechat" && reason !== null
      ? t(`transferReason.${reason}` as "transferReason.CANCELLED", { defaultValue: reason })
      : reason;
}
