import { Alert, Button, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { formatCurrency } from "../../components/figures.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import { HeldOrders } from "./held_orders.tsx";
import type { Withdrawal } from "./withdrawal_state.tsx";

type Page = Admin["WithdrawalPage"];

/**
 * What open refund requests hold of a withdrawal, which whoever goes on in spite of them confirms. The request repeats
 * the amount that was shown.
 */
function useHold(withdrawal: Page) {
  const { t } = useTranslation("withdrawals");
  const { held_by_refunds: held } = withdrawal;
  // The amount that was confirmed: if it changes, it is to be confirmed again.
  const [confirmed, setConfirmed] = useState<string | null>(null);
  return {
    isMissing: held !== null && confirmed !== held,
    body: held === null ? {} : { held_by_refunds: held },
    question: held !== null && (
      <Alert color="orange">
        <Stack gap="xs">
          <HeldOrders withdrawal={withdrawal} held={held} />
          <Checkbox
            label={t("held.confirm", { amount: formatCurrency(held) })}
            checked={confirmed === held}
            onChange={(event) => setConfirmed(event.currentTarget.checked ? held : null)}
          />
        </Stack>
      </Alert>
    ),
  };
}

function ApproveButton({ withdrawal }: { withdrawal: Page }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const { id, method, amount, nickname } = withdrawal;
  const hold = useHold(withdrawal);
  const approve = useAction((body: { held_by_refunds?: string }, key) =>
    admin.PUT("/adminapi/withdrawal/{id}/approve", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(approve, ({ waits }) => t(waits ? "approve.half" : "approve.done"));
  return (
    <>
      <Button onClick={confirmation.ask}>{t("approve.open")}</Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("approve.title", { amount: formatCurrency(amount), member: nickname })}
        action={t("approve.open")}
        disabled={hold.isMissing}
        onConfirm={() => confirmation.confirm(hold.body)}
      >
        <Text>{t(method === "wechat" ? "approve.meaningWechat" : "approve.meaning")}</Text>
        {hold.question}
      </ConfirmDialog>
    </>
  );
}

/** Refuses a withdrawal, or records that its payment failed. The amount returns to the balance. */
function ReturnButton({ withdrawal: { id, amount }, end }: { withdrawal: Withdrawal; end: "refuse" | "failed" }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const [reason, setReason] = useState("");
  const send = useAction((body: { reason: string }, key) =>
    end === "refuse"
      ? admin.PUT("/adminapi/withdrawal/{id}/refuse", { params: { path: { id } }, body, ...key })
      : admin.PUT("/adminapi/withdrawal/{id}/failed", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(send, () => t(`returning.${end}.done`));
  return (
    <>
      <Button variant="default" onClick={confirmation.ask}>
        {t(`returning.${end}.open`)}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t(`returning.${end}.title`)}
        action={t(`returning.${end}.open`)}
        isDangerous
        disabled={reason.trim() === ""}
        onConfirm={() => confirmation.confirm({ reason: reason.trim() })}
      >
        <Text>{t(`returning.${end}.meaning`, { amount: formatCurrency(amount) })}</Text>
        <TextInput
          required
          label={t(`returning.${end}.reason`)}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </ConfirmDialog>
    </>
  );
}

function PaidButton({ withdrawal }: { withdrawal: Page }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const { id, net_amount } = withdrawal;
  const hold = useHold(withdrawal);
  const [reference, setReference] = useState("");
  const mark = useAction((payment_ref: string, key) =>
    admin.PUT("/adminapi/withdrawal/{id}/paid", {
      params: { path: { id } },
      body: { ...hold.body, ...(payment_ref !== "" && { payment_ref }) },
      ...key,
    }),
  );
  const confirmation = useConfirmedAction(mark, () => t("paid.done"));
  return (
    <>
      <Button variant="default" onClick={confirmation.ask}>
        {t("paid.open")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("paid.title")}
        action={t("paid.open")}
        disabled={hold.isMissing}
        onConfirm={() => confirmation.confirm(reference.trim())}
      >
        <Text>{t("paid.meaning", { amount: formatCurrency(net_amount) })}</Text>
        {hold.question}
        <TextInput
          label={t("paid.reference")}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          maxLength={128}
        />
      </ConfirmDialog>
    </>
  );
}

/** The actions for a withdrawal in its present state. The store decides, and rejects an action that comes too late. */
export function WithdrawalButtons({ withdrawal }: { withdrawal: Page }) {
  const { t } = useTranslation("withdrawals");
  const me = useOwnAccount();
  const { state } = withdrawal;
  // WeChat says how its transfers end, as long as it knows them.
  const isByHand = withdrawal.transfer?.ends_by_hand ?? true;
  return (
    <Allowed area="money">
      {state === "requested" &&
        (withdrawal.waits && withdrawal.approved_by?.auth_id === me ? (
          <Text size="sm" c="dimmed">
            {t("waitsForOther")}
          </Text>
        ) : (
          <ApproveButton withdrawal={withdrawal} />
        ))}
      {/* An approved transfer waits for what refund requests hold, or for another approval. */}
      {state === "approved" && withdrawal.method === "wechat" && withdrawal.held_by_refunds && (
        <ApproveButton withdrawal={withdrawal} />
      )}
      {(state === "approved" || state === "paying") && isByHand && <PaidButton withdrawal={withdrawal} />}
      {state === "paying" && isByHand && <ReturnButton withdrawal={withdrawal} end="failed" />}
      {(state === "requested" || state === "approved") && <ReturnButton withdrawal={withdrawal} end="refuse" />}
    </Allowed>
  );
}
