import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";

type Decision = { state: "checked" } | { state: "refused"; reason: string };

/**
 * Decides about the real name that is shown. The store rejects the decision if the member has given another one since.
 */
function useDecision({ uid, id }: Admin["RealName"]) {
  const { admin } = useStore();
  return useAction((decision: Decision, key) =>
    admin.PUT("/adminapi/user/{uid}/real_name", { params: { path: { uid } }, body: { id: id!, ...decision }, ...key }),
  );
}

/** Records that somebody has checked a real name. */
export function CheckButton({ realName }: { realName: Admin["RealName"] }) {
  const { t } = useTranslation("real_names");
  const confirmation = useConfirmedAction(useDecision(realName), () => t("check.done"));
  return (
    <>
      <Button variant="default" onClick={confirmation.ask}>
        {t("check.open")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("check.title")}
        action={t("check.open")}
        onConfirm={() => confirmation.confirm({ state: "checked" })}
      >
        <Text>{t("check.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

/** Refuses a real name, so that the member gives it again. */
export function RefuseButton({ realName }: { realName: Admin["RealName"] }) {
  const { t } = useTranslation("real_names");
  const [reason, setReason] = useState("");
  const confirmation = useConfirmedAction(useDecision(realName), () => t("refuse.done"));
  return (
    <>
      <Button variant="default" onClick={confirmation.ask}>
        {t("refuse.open")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("refuse.title")}
        action={t("refuse.open")}
        isDangerous
        disabled={reason.trim() === ""}
        onConfirm={() => confirmation.confirm({ state: "refused", reason: reason.trim() })}
      >
        <Text>{t("refuse.meaning")}</Text>
        <TextInput
          required
          label={t("refuse.reason")}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </ConfirmDialog>
    </>
  );
}
