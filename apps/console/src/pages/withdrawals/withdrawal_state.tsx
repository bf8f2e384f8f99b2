import { Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { storedText } from "../../components/stored_reason.ts";
import { Tag } from "../../components/tag.tsx";

export type Withdrawal = Admin["AdminWithdrawal"];
export type ListedWithdrawal = Admin["ListedWithdrawal"];
type Signals = ListedWithdrawal["signals"];

const stateColors: Record<Withdrawal["state"], string> = {
  requested: "orange",
  approved: "blue",
  paying: "indigo",
  paid: "green",
  refused: "gray",
  failed: "red",
  cancelled: "gray",
};

export const withdrawalStates = Object.keys(stateColors) as Withdrawal["state"][];
export const withdrawalMethods: Withdrawal["method"][] = ["bank", "alipay", "wechat"];

export function WithdrawalState({ state }: { state: Withdrawal["state"] }) {
  const { t } = useTranslation("withdrawals");
  return <Tag color={stateColors[state]}>{t(`states.${state}`)}</Tag>;
}

/** Whether a second administrator must approve it, too. */
export function Waits({ withdrawal: { waits } }: { withdrawal: Pick<Withdrawal, "waits"> }) {
  const { t } = useTranslation("withdrawals");
  return waits ? (
    <Text size="xs" fw={600}>
      {t("waits")}
    </Text>
  ) : null;
}

/** Names kinds of signals in one text. */
export function useSignalNames(): (kinds: Signals) => string {
  const { t } = useTranslation(["signals", "actions"]);
  return (kinds) => kinds.map((kind) => t(`kind.${kind}.title`)).join(t("actions:listed"));
}

/** That signals concern the member, while that matters. A tooltip names their kinds. */
export function SignalTag({ kinds }: { kinds: Signals }) {
  const { t } = useTranslation("withdrawals");
  const names = useSignalNames()(kinds);
  if (kinds.length === 0) return null;
  return (
    <Tooltip label={names} multiline maw={420} events={{ hover: true, focus: true, touch: true }}>
      <span>
        <Tag color="red" size="sm">
          {t("signal.badge")}
          <VisuallyHidden>: {names}</VisuallyHidden>
        </Tag>
      </span>
    </Tooltip>
  );
}

/** What WeChat says while it has not decided. The state of a withdrawal says how it ended. */
export function TransferState({
  withdrawal: { state, transfer_state },
}: {
  withdrawal: Pick<Withdrawal, "state" | "transfer_state">;
}) {
  const { t } = useTranslation("withdrawals");
  return state === "paying" && transfer_state ? (
    <Text size="xs" c="dimmed">
      {t(`transferStates.${transfer_state}`)}
    </Text>
  ) : null;
}

/**
 * Why a withdrawal was refused or failed. WeChat gives a code, which a newer version of it may have and this console
 * may not know.
 */
export function useWithdrawalReason(): (withdrawal: Pick<Withdrawal, "method" | "reason">) => string | null {
  const { t } = useTranslation("withdrawals");
  return ({ method, reason }) =>
    reason &&
    (method === "wechat"
      ? t(`transferReasons.${reason}` as "transferReasons.CANCELLED", { defaultValue: storedText(reason) })
      : storedText(reason));
}
