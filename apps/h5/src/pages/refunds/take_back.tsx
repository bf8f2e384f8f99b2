import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import { notify } from "../../components/notices.tsx";
import { useStore } from "../../store/store.ts";
import { canTakeBack } from "./goods_return.tsx";

/** Takes an open refund request back. */
export function TakeBack({ refund }: { refund: Api["Refund"] }) {
  const { t } = useTranslation("refunds");
  const api = useStore();
  const [isAsked, setIsAsked] = useState(false);
  const takeBack = useAction((_: null, key) =>
    api.DELETE("/api/order/{id}/refund", { params: { path: { id: refund.order_id } }, ...key }),
  );
  if (!canTakeBack(refund)) return null;
  const close = () => {
    setIsAsked(false);
    takeBack.reset();
  };
  return (
    <>
      <Button size="small" shape="rounded" onClick={() => setIsAsked(true)}>
        {t("takeBack.action")}
      </Button>
      {isAsked && (
        <ConfirmSheet
          title={t("takeBack.title")}
          text={t("takeBack.text")}
          action={t("takeBack.action")}
          isPending={takeBack.isPending}
          error={takeBack.error}
          onClose={close}
          onConfirm={() =>
            takeBack.mutate(null, {
              onSuccess: () => {
                close();
                notify(t("takeBack.done"));
              },
            })
          }
        />
      )}
    </>
  );
}
