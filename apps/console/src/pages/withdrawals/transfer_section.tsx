import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCurrency } from "../../components/figures.tsx";
import { notify } from "../../components/notify.ts";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";

type WithdrawalPage = Admin["WithdrawalPage"];

function AskAgain({ call }: { call: Admin["OutboxRow"] }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const ask = useAction((id: number, key) =>
    admin.PUT("/adminapi/outbox/{id}/retry", { params: { path: { id } }, body: {}, ...key }),
  );
  return (
    <>
      <FailureAlert error={ask.error} />
      <Button
        variant="default"
        leftSection={<RotateCw size={16} aria-hidden />}
        loading={ask.isPending}
        onClick={() => ask.mutate(call.id, { onSuccess: () => notify(t("transfer.asked")) })}
      >
        {t("transfer.ask")}
      </Button>
    </>
  );
}

function CancelTransfer({ withdrawal: { id, amount } }: { withdrawal: WithdrawalPage }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const cancel = useAction((_: null, key) =>
    admin.PUT("/adminapi/withdrawal/{id}/cancel", { params: { path: { id } }, body: {}, ...key }),
  );
  const confirmation = useConfirmedAction(cancel, () => t("transfer.cancel.done"));
  return (
    <>
      <Button variant="default" onClick={confirmation.ask}>
        {t("transfer.cancel.open")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("transfer.cancel.title")}
        action={t("transfer.cancel.open")}
        isDangerous
        onConfirm={() => confirmation.confirm(null)}
      >
        <Text>{t("transfer.cancel.meaning", { amount: formatCurrency(amount) })}</Text>
      </ConfirmDialog>
    </>
  );
}

/** What WeChat says about a withdrawal to it, and when it is asked next. */
export function TransferSection({ withdrawal }: { withdrawal: WithdrawalPage }) {
  const { t } = useTranslation("withdrawals");
  const { transfer, transfer_state, state } = withdrawal;
  if (!transfer || state === "requested") return null;
  const { provider_ref, asked_at, cancelled_at, call } = transfer;
  const canCancel = state === "paying" && cancelled_at === null && transfer_state !== "transferring";
  return (
    <Section title={t("transfer.title")}>
      <Stack>
        {call?.state === "failed" && <Alert color="red">{t("transfer.stopped")}</Alert>}
        <DescriptionList
          items={[
            [t("transfer.state"), transfer_state ? t(`transferStates.${transfer_state}`) : t("transfer.notAsked")],
            ...(provider_ref
              ? [
                  [
                    t("transfer.number"),
                    <span key="number" className="figures">
                      {provider_ref}
                    </span>,
                  ] as [string, ReactNode],
                ]
              : []),
            ...(asked_at
              ? [[t("transfer.askedAt"), <Time key="asked" value={asked_at} />] as [string, ReactNode]]
              : []),
            ...(cancelled_at
              ? [[t("transfer.cancelledAt"), <Time key="cancelled" value={cancelled_at} />] as [string, ReactNode]]
              : []),
            ...(call?.state === "waiting"
              ? [[t("transfer.next"), <Time key="next" value={call.run_after} />] as [string, ReactNode]]
              : []),
            ...(call?.last_problem ? [[t("transfer.problem"), call.last_problem] as [string, ReactNode]] : []),
          ]}
        />
        {call && (
          <Allowed area="money">
            <Group>
              <AskAgain call={call} />
              {canCancel && <CancelTransfer withdrawal={withdrawal} />}
            </Group>
          </Allowed>
        )}
      </Stack>
    </Section>
  );
}
