import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Tag } from "../../components/tag.tsx";

export type Withdrawal = Admin["AdminWithdrawal"];

const stateColors: Record<Withdrawal["state"], string> = { requested: "orange", approved: "blue", paying: "indigo", paid: "green", refused: "gray", failed: "red" };

export const withdrawalStates = Object.keys(stateColors) as Withdrawal["state"][];
export const withdrawalMethods: Withdrawal["method"][] = ["bank", "alipay", "wechat"];

export function WithdrawalState({ state }: { state: Withdrawal["state"] }) {
  const { t } = useTranslation("withdrawals");
  return <Tag color={stateColors[state]}>{t(`states.${state}`)}</Tag>;
}
