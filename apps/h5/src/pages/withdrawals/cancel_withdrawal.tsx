import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import { notify } from "../../components/notices.tsx";
import { useStore } from "../../store/store.ts";

/** Takes back a withdrawal that waits for its review. The store checks that nobody has approved it. */
export function CancelWithdrawal({ withdrawal: { id } }: { withdrawal: Pick<Api["Withdrawal"], "id"> }) {
  const { t } = useTranslation("withdrawals");
  const api = useStore();
  const [isAsked, setAsked] = useState(false);
  const cancel = useAction((_: null, key) =>
    api.PUT("/api/withdrawal/{id}/cancel", { params: { path: { id } }, ...key }),
  );
  const close = () => {
    setAsked(false);
    cancel.reset();
  };
  return (
    <>
      <Button block shape="rounded" onClick={() => setAsked(true)}>
        {t("cancel.action")}
      </Button>
      {isAsked && (
        <ConfirmSheet
          title={t("cancel.title")}
          text={t("cancel.text")}
          action={t("cancel.action")}
          isDanger
          isPending={cancel.isPending}
          error={cancel.error}
          onClose={close}
          onConfirm={() =>
            cancel.mutate(null, {
              onSuccess: () => {
                close();
                notify(t("cancel.done"));
              },
            })
          }
        />
      )}
    </>
  );
}
