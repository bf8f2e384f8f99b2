import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { ConfirmDialog } from "../../parts/confirm_dialog.tsx";
import { useDeed } from "../../parts/use_deed.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";

type OrderPage = Admin["OrderPage"];

/** Records a payment that was made outside the shop. */
export function PayButton({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [reference, setReference] = useState("");
  const pay = useAction((pay_ref: string, key) => admin.PUT("/adminapi/order/{id}/pay", { params: { path: { id } }, body: pay_ref ? { pay_ref } : {}, ...key }));
  const deed = useDeed(pay, () => t("pay.done"));
  return (
    <>
      <Button onClick={deed.ask}>{t("pay.open")}</Button>
      <ConfirmDialog {...deed.dialog} title={t("pay.title", { id })} deed={t("pay.deed")} onConfirm={() => deed.confirm(reference.trim())}>
        <Text>{t("pay.meaning")}</Text>
        <TextInput label={t("pay.reference")} description={t("pay.referenceHint")} value={reference} onChange={(event) => setReference(event.currentTarget.value)} maxLength={128} />
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
