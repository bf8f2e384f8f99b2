import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Answer } from "../../components/answer.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { formatCount, formatMoney, Money } from "../../components/figures.tsx";
import { useDeed } from "../../components/use_deed.ts";
import { useAdmin, useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";

type OrderPage = Admin["OrderPage"];

/** What the settlement will be of, and when: as the plan in force now says, which will be that of the order. */
function WhatItSettles({ order: { queue_base, queue_units } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const plan = useAdmin().useQuery("get", "/adminapi/hjf/brokerage/config");
  if (queue_units === 0) return <Text>{t("pay.settles.nothing")}</Text>;
  return <Answer of={plan} lines={1}>{({ brokerage_timing }) => <Text>{t(`pay.settles.${brokerage_timing}`, { units: formatCount(queue_units), base: formatMoney(queue_base) })}</Text>}</Answer>;
}

/** Records a payment that was made outside the shop. */
export function PayButton({ order }: { order: OrderPage }) {
  const { id, pay_price } = order;
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [reference, setReference] = useState("");
  const pay = useAction((pay_ref: string, key) => admin.PUT("/adminapi/order/{id}/pay", { params: { path: { id } }, body: { pay_ref }, ...key }));
  const deed = useDeed(pay, () => t("pay.done"));
  return (
    <>
      <Button onClick={deed.ask}>{t("pay.open")}</Button>
      <ConfirmDialog {...deed.dialog} title={t("pay.title", { id })} deed={t("pay.deed")} disabled={reference.trim() === ""} onConfirm={() => deed.confirm(reference.trim())}>
        <Text>{t("pay.meaning")}</Text>
        <Text fz="xl" fw={650}><Money value={pay_price} /></Text>
        <div>
          <Text fw={600}>{t("pay.settles.title")}</Text>
          {deed.dialog.opened && <WhatItSettles order={order} />}
        </div>
        <TextInput required label={t("pay.reference")} description={t("pay.referenceHint")} value={reference} onChange={(event) => setReference(event.currentTarget.value)} maxLength={128} />
      </ConfirmDialog>
    </>
  );
}

/** Records that an order has left the store. */
export function DeliverButton({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const deliver = useAction((_: void, key) => admin.PUT("/adminapi/order/{id}/deliver", { params: { path: { id } }, body: {}, ...key }));
  const deed = useDeed(deliver, () => t("deliver.done"));
  return (
    <>
      <Button onClick={deed.ask}>{t("deliver.open")}</Button>
      <ConfirmDialog {...deed.dialog} title={t("deliver.title", { id })} deed={t("deliver.deed")} onConfirm={() => deed.confirm()}>
        <Text>{t("deliver.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

/** Refuses the open refund request of an order. */
export function RefuseButton({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const refuse = useAction((_: void, key) => admin.PUT("/adminapi/order/{id}/refund/refuse", { params: { path: { id } }, body: {}, ...key }));
  const deed = useDeed(refuse, () => t("refuse.done"));
  return (
    <>
      <Button variant="default" onClick={deed.ask}>{t("refuse.open")}</Button>
      <ConfirmDialog {...deed.dialog} title={t("refuse.title", { id })} deed={t("refuse.deed")} onConfirm={() => deed.confirm()}>
        <Text>{t("refuse.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}
