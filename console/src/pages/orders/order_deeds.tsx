import { Button, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { ConfirmDialog } from "../../parts/confirm_dialog.tsx";
import { tell } from "../../parts/tell.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";

type OrderPage = Admin["OrderPage"];

/** Records a payment that was made outside the shop. */
export function PayButton({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [opened, dialog] = useDisclosure(false);
  const [reference, setReference] = useState("");
  const pay = useAction((pay_ref: string, key) => admin.PUT("/adminapi/order/{id}/pay", { params: { path: { id } }, body: pay_ref ? { pay_ref } : {}, ...key }));
  const confirm = () =>
    pay.mutate(reference.trim(), {
      onSuccess: () => {
        tell(t("pay.done"));
        dialog.close();
      },
    });
  return (
    <>
      <Button onClick={dialog.open}>{t("pay.open")}</Button>
      <ConfirmDialog opened={opened} title={t("pay.title", { id })} deed={t("pay.deed")} waiting={pay.isPending} error={pay.error} onConfirm={confirm} onClose={dialog.close}>
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
  const [opened, dialog] = useDisclosure(false);
  const deliver = useAction((_: void, key) => admin.PUT("/adminapi/order/{id}/deliver", { params: { path: { id } }, body: {}, ...key }));
  const confirm = () =>
    deliver.mutate(undefined, {
      onSuccess: () => {
        tell(t("deliver.done"));
        dialog.close();
      },
    });
  return (
    <>
      <Button onClick={dialog.open}>{t("deliver.open")}</Button>
      <ConfirmDialog opened={opened} title={t("deliver.title", { id })} deed={t("deliver.deed")} waiting={deliver.isPending} error={deliver.error} onConfirm={confirm} onClose={dialog.close}>
        <Text>{t("deliver.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

/** Refuses the open refund request of an order. */
export function RefuseButton({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [opened, dialog] = useDisclosure(false);
  const refuse = useAction((_: void, key) => admin.PUT("/adminapi/order/{id}/refund/refuse", { params: { path: { id } }, body: {}, ...key }));
  const confirm = () =>
    refuse.mutate(undefined, {
      onSuccess: () => {
        tell(t("refuse.done"));
        dialog.close();
      },
    });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>{t("refuse.open")}</Button>
      <ConfirmDialog opened={opened} title={t("refuse.title", { id })} deed={t("refuse.deed")} waiting={refuse.isPending} error={refuse.error} onConfirm={confirm} onClose={dialog.close}>
        <Text>{t("refuse.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}
