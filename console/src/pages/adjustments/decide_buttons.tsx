import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../../../web/use_action.ts";

function DecideButton({ adjustment: { id, nickname }, decision }: { adjustment: Admin["Adjustment"]; decision: "approve" | "refuse" }) {
  const { t } = useTranslation("adjustments");
  const { admin } = useStore();
  const decide = useAction((_: undefined, key) => admin.PUT(`/adminapi/adjustment/{id}/${decision}`, { params: { path: { id } }, ...key }));
  const confirmation = useConfirmedAction(decide, () => t(`${decision}.done`));
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`${t(`${decision}.open`)}: ${nickname}`} onClick={confirmation.ask}>{t(`${decision}.open`)}</Button>
      <ConfirmDialog {...confirmation.dialog} title={t(`${decision}.title`)} action={t(`${decision}.open`)} onConfirm={() => confirmation.confirm(undefined)}>
        <Text size="sm">{t(`${decision}.meaning`)}</Text>
      </ConfirmDialog>
    </>
  );
}

/** Approves or refuses an adjustment that waits. */
export function DecideButtons({ adjustment }: { adjustment: Admin["Adjustment"] }) {
  return (
    <Allowed area="money" inRow>
      <Group gap="xs" wrap="nowrap">
        <DecideButton adjustment={adjustment} decision="approve" />
        <DecideButton adjustment={adjustment} decision="refuse" />
      </Group>
    </Allowed>
  );
}
