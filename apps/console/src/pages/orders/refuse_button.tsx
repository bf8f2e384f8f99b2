import { Button, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { ForeseenMembers } from "./foreseen_members.tsx";

function WhatItChanges({ id }: { id: number }) {
  const preview = useAdmin("/adminapi/order/{id}/refund/refuse/preview", { params: { path: { id } } });
  return (
    <QueryResult of={preview} lines={1}>
      {(changes) => <ForeseenMembers of={changes} />}
    </QueryResult>
  );
}

/** Refuses the open refund request of an order, after a preview of whose task counts and levels that changes. */
export function RefuseButton({ order: { id } }: { order: Admin["OrderPage"] }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [reason, setReason] = useState("");
  const refuse = useAction((body: { reason?: string }, key) =>
    admin.PUT("/adminapi/order/{id}/refund/refuse", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(refuse, () => t("refuse.done"));
  const open = () => {
    setReason("");
    confirmation.ask();
  };
  return (
    <>
      <Allowed area="refunds">
        <Button variant="default" onClick={open}>
          {t("refuse.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("refuse.title", { id })}
        action={t("refuse.action")}
        onConfirm={() => confirmation.confirm(reason.trim() ? { reason: reason.trim() } : {})}
      >
        <Text>{t("refuse.meaning")}</Text>
        <Textarea
          label={t("refuse.reason")}
          description={t("refuse.reasonHint")}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          maxRows={6}
        />
        {confirmation.dialog.opened && !refuse.isPending && <WhatItChanges id={id} />}
      </ConfirmDialog>
    </>
  );
}
