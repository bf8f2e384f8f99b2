import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../web/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { formatCurrency } from "../../components/figures.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import type { Withdrawal } from "./withdrawal_state.tsx";

function ApproveButton({ withdrawal: { id, method, amount, nickname } }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const approve = useAction((_: null, key) =>
    admin.PUT("/adminapi/withdrawal/{id}/approve", { params: { path: { id } }, body: {}, ...key }),
  );
  const confirmation = useConfirmedAction(approve, ({ waits }) => t(waits ? "approve.half" : "approve.done"));
  return (
    <>
      <Button onClick={confirmation.ask}>{t("approve.open")}</Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("approve.title", { amount: formatCurrency(amount), member: nickname })}
        action={t("approve.open")}
        onConfirm={() => confirmation.confirm(null)}
      >
        <Text>{t(method === "wechat" ? "approve.meaningWechat" : "approve.meaning")}</Text>
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

function PaidButton({ withdrawal: { id, net_amount } }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const [reference, setReference] = useState("");
  const mark = useAction((payment_ref: string, key) =>
    admin.PUT("/adminapi/withdrawal/{id}/paid", { params: { path: { id } }, body: payment_ref === "" ? {} : { payment_ref }, ...key }),
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
        onConfirm={() => confirmation.confirm(reference.trim())}
      >
        <Text>{t("paid.meaning", { amount: formatCurrency(net_amount) })}</Text>
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
export function WithdrawalButtons({ withdrawal }: { withdrawal: Admin["WithdrawalPage"] }) {
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
      {(state === "approved" || state === "paying") && isByHand && <PaidButton withdrawal={withdrawal} />}
      {state === "paying" && isByHand && <ReturnButton withdrawal={withdrawal} end="failed" />}
      {(state === "requested" || state === "approved") && <ReturnButton withdrawal={withdrawal} end="refuse" />}
    </Allowed>
  );
}
