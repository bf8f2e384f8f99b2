import { Button, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

/** Explains a finding of the reconciliation, which then no longer counts until its figures change. */
export function ExplainButton({ finding }: { finding: Admin["ReconcileFinding"] }) {
  const { t } = useTranslation("verification");
  const { admin } = useStore();
  const [reason, setReason] = useState("");
  const { check_name, subject, expected, actual } = finding;
  const explain = useAction((body: { reason: string }, key) =>
    admin.POST("/adminapi/hjf/reconcile/explain", {
      body: { check_name, subject, expected, actual, ...body },
      ...key,
    }),
  );
  const confirmation = useConfirmedAction(explain, () => t("reconcile.explain.done"));
  return (
    <Allowed area="money">
      <Button size="compact-sm" variant="default" onClick={confirmation.ask}>
        {t("reconcile.explain.open")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("reconcile.explain.title")}
        action={t("reconcile.explain.action")}
        disabled={reason.trim() === ""}
        onConfirm={() => confirmation.confirm({ reason: reason.trim() })}
      >
        <Text>{t("reconcile.explain.meaning")}</Text>
        <Textarea
          required
          label={t("reconcile.explain.reason")}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </ConfirmDialog>
    </Allowed>
  );
}
