import { Alert, Button, Checkbox, List, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";

/** Closes a month, after its consequences were read and confirmed. @param earlier the open months before it */
export function CloseMonthButton({ month, earlier }: { month: string; earlier: string[] }) {
  const { t } = useTranslation("finance");
  const { admin } = useStore();
  const [isChecked, setIsChecked] = useState(false);
  const close = useAction((_: void, key) =>
    admin.POST("/adminapi/month/{month}/close", { params: { path: { month } }, ...key }),
  );
  const confirmation = useConfirmedAction(close, () => t("close.done", { month }));
  return (
    <>
      <Allowed area="money" inRow>
        <Button
          variant="default"
          onClick={() => {
            setIsChecked(false);
            confirmation.ask();
          }}
        >
          {t("close.open", { month })}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("close.title", { month })}
        action={t("close.action")}
        isDangerous
        disabled={!isChecked}
        onConfirm={() => confirmation.confirm()}
      >
        <List size="sm" spacing="xs">
          <List.Item>{t("close.sums")}</List.Item>
          <List.Item>{t("close.later")}</List.Item>
          <List.Item>{t("close.final")}</List.Item>
        </List>
        {earlier.length > 0 && <Alert color="orange">{t("close.earlier", { months: earlier.join(", ") })}</Alert>}
        <Text size="sm">{t("close.before")}</Text>
        <Checkbox
          label={t("close.checked")}
          checked={isChecked}
          onChange={({ currentTarget: { checked } }) => setIsChecked(checked)}
        />
      </ConfirmDialog>
    </>
  );
}
