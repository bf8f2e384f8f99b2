import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Money } from "../../components/figures.tsx";
import { notify } from "../../components/notify.ts";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

type Attempt = Admin["AdminPaymentAttempt"];
type Unclaimed = Admin["UnclaimedPayment"];
type ProviderRefund = Admin["ProviderRefund"];

const attempt = columnsOf<Attempt>();
const unclaimed = columnsOf<Unclaimed>();
const providerRefund = columnsOf<ProviderRefund>();

const attemptColors: Record<Attempt["state"], string> = { open: "blue", refused: "red", closed: "gray", paid: "green" };
const refundColors: Record<ProviderRefund["state"], string> = { refunding: "blue", succeeded: "green", failed: "red" };

/** The state of a refund at the provider. */
export function ProviderStateTag({ state }: { state: ProviderRefund["state"] }) {
  const { t } = useTranslation("orders");
  return <Tag color={refundColors[state]}>{t(`payments.refundState.${state}`)}</Tag>;
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  const { t } = useTranslation(["orders", "words"]);
  const columns = [
    attempt.time("add_time", t("payments.started")),
    attempt.text("attempt_no", t("payments.number")),
    attempt.words("provider", t("payments.provider"), ({ method }) => t(`payments.methods.${method}`)),
    attempt.tag("state", t("words:state"), ({ state }) => [t(`payments.attemptState.${state}`), attemptColors[state]]),
    attempt.money("amount", t("payments.amount")),
    attempt.text("pay_ref", t("payments.reference"), { clipped: true, empty: "–" }),
    attempt.time("ended_at", t("payments.ended")),
    attempt.text("reason", t("words:reason")),
  ];
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
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t("payments.refund.open")}: ${pay_ref}`}
          onClick={confirmation.ask}
        >
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
  const columns = [
    unclaimed.time("add_time", t("payments.received")),
    unclaimed.text("provider", t("payments.provider")),
    unclaimed.text("payment_no", t("payments.number")),
    unclaimed.money("amount", t("payments.amount")),
    unclaimed.text("reason", t("words:reason")),
    unclaimed.custom({
      id: "refund",
      title: t("refund"),
      cell: (payment) =>
        payment.refund_state === null || payment.refund_state === "failed" ? (
          <RefundPaymentButton payment={payment} />
        ) : (
          <ProviderStateTag state={payment.refund_state} />
        ),
    }),
  ];
  return (
    <PlainTable
      label={t("payments.unclaimed")}
      columns={columns}
      rows={payments}
      rowId={({ notification_id }) => notification_id}
    />
  );
}

function ProviderRefunds({ refunds }: { refunds: ProviderRefund[] }) {
  const { t } = useTranslation(["orders", "words"]);
  const { admin } = useStore();
  const retry = useAction((id: number, key) =>
    admin.PUT("/adminapi/payment/refund/{id}/retry", { params: { path: { id } }, body: {}, ...key }),
  );
  // Only the newest try of a refund can be repeated.
  const isLatest = (each: ProviderRefund) =>
    !refunds.some(
      (other) => other.id > each.id && other.refund_id === each.refund_id && other.pay_ref === each.pay_ref,
    );
  const columns = [
    providerRefund.time("created_at", t("words:time")),
    providerRefund.text("refund_no", t("payments.number")),
    providerRefund.custom({
      id: "state",
      title: t("words:state"),
      cell: ({ state }) => <ProviderStateTag state={state} />,
    }),
    providerRefund.money("amount", t("payments.amount")),
    providerRefund.text("reason", t("words:reason")),
    providerRefund.custom({
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
              loading={retry.isPending && retry.variables === each.id}
              onClick={() => retry.mutate(each.id, { onSuccess: () => notify(t("payments.retried")) })}
            >
              {t("payments.retry")}
            </Button>
          </Allowed>
        ),
    }),
  ];
  return (
    <>
      <FailureAlert error={retry.error} />
      <PlainTable label={t("payments.providerRefunds")} columns={columns} rows={refunds} rowId={({ id }) => id} />
    </>
  );
}

/** The payments of an order at providers: attempts, unclaimed payments and refunds. */
export function OrderPayments({
  order: { payment_attempts, unclaimed_payments, provider_refunds },
}: {
  order: Admin["OrderPage"];
}) {
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
