import { Autocomplete, Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { formatCount, formatMoney, Money } from "../../components/figures.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { useCarrierChoices } from "../shipping/carriers.ts";

type OrderPage = Admin["OrderPage"];

/**
 * What the settlement will be based on, and when it happens, according to the plan in force, which will apply to the
 * order.
 */
function WhatItSettles({ order: { queue_base, queue_units } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const plan = useAdmin("/adminapi/hjf/brokerage/config");
  if (queue_units === 0) return <Text>{t("pay.settles.nothing")}</Text>;
  return (
    <QueryResult of={plan} lines={1}>
      {({ brokerage_timing }) => (
        <Text>
          {t(`pay.settles.${brokerage_timing}`, { units: formatCount(queue_units), base: formatMoney(queue_base) })}
        </Text>
      )}
    </QueryResult>
  );
}

/** Records an offline payment. */
export function PayButton({ order }: { order: OrderPage }) {
  const { id, pay_price, waiting_payment: waiting } = order;
  const me = useOwnAccount();
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [reference, setReference] = useState(waiting?.pay_ref ?? "");
  const pay = useAction((pay_ref: string, key) =>
    admin.PUT("/adminapi/order/{id}/pay", { params: { path: { id } }, body: { pay_ref }, ...key }),
  );
  const confirmation = useConfirmedAction(pay, ({ state }) => t(state === "unpaid" ? "pay.half" : "pay.done"));
  if (waiting && waiting.marked_by?.auth_id === me)
    return (
      <Text size="sm" c="dimmed">
        {t("pay.waitsForOther")}
      </Text>
    );
  return (
    <>
      <Allowed area="money">
        <Button onClick={confirmation.ask}>{t("pay.open")}</Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("pay.title", { id })}
        action={t("pay.action")}
        disabled={reference.trim() === ""}
        onConfirm={() => confirmation.confirm(reference.trim())}
      >
        <Text>{t("pay.meaning")}</Text>
        <Text fz="xl" fw={650}>
          <Money value={pay_price} />
        </Text>
        <div>
          <Text fw={600}>{t("pay.settles.title")}</Text>
          {confirmation.dialog.opened && <WhatItSettles order={order} />}
        </div>
        <TextInput
          required
          label={t("pay.reference")}
          description={t("pay.referenceHint")}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          maxLength={128}
        />
      </ConfirmDialog>
    </>
  );
}

/** Refuses an offline payment that waits for a second administrator. */
export function RefusePaymentButton({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [reason, setReason] = useState("");
  const refuse = useAction((body: { reason: string }, key) =>
    admin.PUT("/adminapi/order/{id}/pay/refuse", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(refuse, () => t("refusePayment.done"));
  return (
    <>
      <Allowed area="money">
        <Button variant="default" onClick={confirmation.ask}>
          {t("refusePayment.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("refusePayment.title", { id })}
        action={t("refusePayment.action")}
        disabled={reason.trim() === ""}
        onConfirm={() => confirmation.confirm({ reason: reason.trim() })}
      >
        <Text>{t("refusePayment.meaning")}</Text>
        <TextInput
          required
          label={t("refusePayment.reason")}
          description={t("refusePayment.reasonHint")}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </ConfirmDialog>
    </>
  );
}

/** Marks an order as shipped, with its first parcel if a carrier or a number is given. */
export function DeliverButton({ order: { id }, isNext }: { order: OrderPage; isNext: boolean }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const carriers = useCarrierChoices();
  const [carrier, setCarrier] = useState("");
  const [trackingNo, setTrackingNo] = useState("");
  const body = {
    ...(carrier.trim() && { carrier: carrier.trim() }),
    ...(trackingNo.trim() && { tracking_no: trackingNo.trim() }),
  };
  const deliver = useAction((given: typeof body, key) =>
    admin.PUT("/adminapi/order/{id}/deliver", { params: { path: { id } }, body: given, ...key }),
  );
  const confirmation = useConfirmedAction(deliver, () => t("delivery.done"));
  return (
    <>
      <Allowed area="orders">
        <Button variant={isNext ? "filled" : "default"} onClick={confirmation.ask}>
          {t("delivery.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("delivery.title", { id })}
        action={t("delivery.action")}
        onConfirm={() => confirmation.confirm(body)}
      >
        <Text>{t("delivery.meaning")}</Text>
        <Autocomplete
          label={t("carrier")}
          data={carriers.map(({ label }) => label)}
          value={carrier}
          onChange={setCarrier}
          maxLength={64}
        />
        <TextInput
          label={t("trackingNo")}
          value={trackingNo}
          onChange={(event) => setTrackingNo(event.currentTarget.value)}
          maxLength={64}
        />
      </ConfirmDialog>
    </>
  );
}
