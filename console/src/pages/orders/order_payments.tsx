import { Button, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Money } from "../../components/figures.tsx";
import { notify } from "../../components/notify.ts";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../../../web/use_action.ts";

type Attempt = Admin["AdminPaymentAttempt"];
type Unclaimed = Admin["UnclaimedPayment"];
type ProviderRefund = Admin["ProviderRefund"];

const attemptColors: Record<Attempt["state"], string> = { open: "blue", refused: "red", closed: "gray", paid: "green" };
const refundColors: Record<ProviderRefund["state"], string> = { refunding: "blue", succeeded: "green", failed: "red" };

/** The state of a refund at the provider. */
export function ProviderStateTag({ state }: { state: ProviderRefund["state"] }) {
  const { t } = useTranslation("orders");
  return <Tag color={refundColors[state]}>{t(`payments.refundState.${state}`)}</Tag>;
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  const { t } = useTranslation(["orders", "words"]);
  const columns = useMemo<Column<Attempt>[]>(
    () => [
      { id: "started", title: t("payments.started"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      { id: "number", title: t("payments.number"), cell: ({ attempt_no }) => attempt_no, csv: ({ attempt_no }) => attempt_no },
      {
        id: "provider",
        title: t("payments.provider"),
        cell: ({ provider, method }) => `${provider} ${method}`,
        csv: ({ provider, method }) => `${provider} ${method}`,
      },
      {
        id: "state",
        title: t("words:state"),
        cell: ({ state }) => <Tag color={attemptColors[state]}>{t(`payments.attemptState.${state}`)}</Tag>,
        csv: ({ state }) => t(`payments.attemptState.${state}`),
      },
      {
        id: "amount",
        title: t("payments.amount"),
        align: "right",
        cell: ({ amount }) => <Money value={amount} />,
        csv: ({ amount }) => amount,
      },
      {
        id: "reference",
        title: t("payments.reference"),
        cell: ({ pay_ref }) => <Clipped text={pay_ref ?? "–"} />,
        csv: ({ pay_ref }) => pay_ref,
      },
      {
        id: "ended",
        title: t("payments.ended"),
        cell: ({ ended_at }) => (ended_at ? <Time value={ended_at} /> : "–"),
        csv: ({ ended_at }) => ended_at,
      },
      { id: "reason", title: t("words:reason"), cell: ({ reason }) => reason ?? "", csv: ({ reason }) => reason },
    ],
    [t],
  );
  return <PlainTable label={t("payments.attempts")} columns={columns} rows={attempts} rowId={({ id }) => id} />;
}

/** Requests the refund of an unclaimed payment from its provider. */
function RefundPaymentButton({ payment: { notification_id: id, pay_ref, amount } }: { payment: Unclaimed }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const refund = useAction((_: void, key) =>
    admin.PUT("/adminapi/payment/notification/{id}/refund", { params: { path: { id } }, body: {}, ...key }),
  );
  const confirmation = useConfirmedAction(refund, () => t("payments.refund.done"));
  return (
    <>
      <Allowed area="money" inRow>
        <Button size="compact-sm" variant="default" aria-label={`${t("payments.refund.open")}: ${pay_ref}`} onClick={confirmation.ask}>
          {t("payments.refund.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("payments.refund.title")}
        action={t("payments.refund.action")}
        isDangerous
        onConfirm={() => confirmation.confirm()}
      >
        <Text>{t("payments.refund.meaning")}</Text>
        <Text fz="xl" fw={650}>
          <Money value={amount} />
        </Text>
      </ConfirmDialog>
    </>
  );
}

function UnclaimedPayments({ payments }: { payments: Unclaimed[] }) {
  const { t } = useTranslation(["orders", "words"]);
  const columns = useMemo<Column<Unclaimed>[]>(
    () => [
      { id: "received", title: t("payments.received"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      { id: "provider", title: t("payments.provider"), cell: ({ provider }) => provider, csv: ({ provider }) => provider },
      { id: "number", title: t("payments.number"), cell: ({ payment_no }) => payment_no, csv: ({ payment_no }) => payment_no },
      {
        id: "amount",
        title: t("payments.amount"),
        align: "right",
        cell: ({ amount }) => <Money value={amount} />,
        csv: ({ amount }) => amount,
      },
      { id: "reason", title: t("words:reason"), cell: ({ reason }) => reason, csv: ({ reason }) => reason },
      {
        id: "refund",
        title: t("refund"),
        cell: (payment) =>
          payment.refund_state === null || payment.refund_state === "failed" ? (
            <RefundPaymentButton payment={payment} />
          ) : (
            <ProviderStateTag state={payment.refund_state} />
          ),
        csv: ({ refund_state }) => refund_state,
      },
    ],
    [t],
  );
  return <PlainTable label={t("payments.unclaimed")} columns={columns} rows={payments} rowId={({ notification_id }) => notification_id} />;
}

function ProviderRefunds({ refunds }: { refunds: ProviderRefund[] }) {
  const { t } = useTranslation(["orders", "words"]);
  const { admin } = useStore();
  const retry = useAction((id: number, key) =>
    admin.PUT("/adminapi/payment/refund/{id}/retry", { params: { path: { id } }, body: {}, ...key }),
  );
  const { mutate, isPending, variables } = retry;
  const columns = useMemo<Column<ProviderRefund>[]>(() => {
    // Only the newest try of a refund can be repeated.
    const isLatest = (each: ProviderRefund) =>
      !refunds.some((other) => other.id > each.id && other.refund_id === each.refund_id && other.pay_ref === each.pay_ref);
    return [
      { id: "time", title: t("words:time"), cell: ({ created_at }) => <Time value={created_at} />, csv: ({ created_at }) => created_at },
      { id: "number", title: t("payments.number"), cell: ({ refund_no }) => refund_no, csv: ({ refund_no }) => refund_no },
      {
        id: "state",
        title: t("words:state"),
        cell: ({ state }) => <ProviderStateTag state={state} />,
        csv: ({ state }) => t(`payments.refundState.${state}`),
      },
      {
        id: "amount",
        title: t("payments.amount"),
        align: "right",
        cell: ({ amount }) => <Money value={amount} />,
        csv: ({ amount }) => amount,
      },
      { id: "reason", title: t("words:reason"), cell: ({ reason }) => reason ?? "", csv: ({ reason }) => reason },
      {
        id: "retry",
        title: t("payments.retry"),
        cell: (each) =>
          each.state === "failed" &&
          isLatest(each) && (
            <Allowed area="money" inRow>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${t("payments.retry")}: ${each.refund_no}`}
                loading={isPending && variables === each.id}
                onClick={() => mutate(each.id, { onSuccess: () => notify(t("payments.retried")) })}
              >
                {t("payments.retry")}
              </Button>
            </Allowed>
          ),
      },
    ];
  }, [t, refunds, mutate, isPending, variables]);
  return (
    <>
      <FailureAlert error={retry.error} />
      <PlainTable label={t("payments.providerRefunds")} columns={columns} rows={refunds} rowId={({ id }) => id} />
    </>
  );
}

/** The payments of an order at providers: attempts, unclaimed payments and refunds. */
export function OrderPayments({ order: { payment_attempts, unclaimed_payments, provider_refunds } }: { order: Admin["OrderPage"] }) {
  const { t } = useTranslation("orders");
  return (
    <Section title={t("payments.title")}>
      <Stack>
        {payment_attempts.length === 0 && unclaimed_payments.length === 0 && (
          <Text c="dimmed" size="sm">
            {t("payments.empty")}
          </Text>
        )}
        {payment_attempts.length > 0 && <Attempts attempts={payment_attempts} />}
        {unclaimed_payments.length > 0 && (
          <div>
            <Text fw={600}>{t("payments.unclaimed")}</Text>
            <Text size="sm" c="dimmed" mb="xs">
              {t("payments.unclaimedHint")}
            </Text>
            <UnclaimedPayments payments={unclaimed_payments} />
          </div>
        )}
        {provider_refunds.length > 0 && (
          <div>
            <Text fw={600} mb="xs">
              {t("payments.providerRefunds")}
            </Text>
            <ProviderRefunds refunds={provider_refunds} />
          </div>
        )}
      </Stack>
    </Section>
  );
}
