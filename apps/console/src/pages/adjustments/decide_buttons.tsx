import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Money, Points } from "../../components/figures.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { storedReason } from "../../components/stored_reason.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

type Adjustment = Admin["Adjustment"];

function DecideButton({ adjustment, decision }: { adjustment: Adjustment; decision: "approve" | "refuse" }) {
  const { id, nickname, uid, brokerage, frozen_points, available_points } = adjustment;
  const { t } = useTranslation(["adjustments", "words"]);
  const { admin } = useStore();
  const decide = useAction((_: undefined, key) =>
    admin.PUT(`/adminapi/adjustment/{id}/${decision}`, { params: { path: { id } }, ...key }),
  );
  const confirmation = useConfirmedAction(decide, () => t(`${decision}.done`));
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t(`${decision}.open`)}: ${nickname}`}
        onClick={confirmation.ask}
      >
        {t(`${decision}.open`)}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t(`${decision}.title`)}
        action={t(`${decision}.open`)}
        onConfirm={() => confirmation.confirm(undefined)}
      >
        <DescriptionList
          items={[
            [t("words:member"), `${nickname} ${uid}`],
            ...(Number(brokerage) === 0
              ? []
              : [[t("brokerage"), <Money key="brokerage" value={brokerage} signed />] as [string, ReactNode]]),
            ...(frozen_points === 0
              ? []
              : [
                  [t("words:frozenPoints"), <Points key="frozen" value={frozen_points} signed />] as [
                    string,
                    ReactNode,
                  ],
                ]),
            ...(available_points === 0
              ? []
              : [
                  [t("words:availablePoints"), <Points key="available" value={available_points} signed />] as [
                    string,
                    ReactNode,
                  ],
                ]),
            [t("reason"), storedReason(adjustment.reason, adjustment.created_by)],
          ]}
        />
        <Text size="sm">{t(`${decision}.meaning`)}</Text>
      </ConfirmDialog>
    </>
  );
}

/** Approves or refuses an adjustment that waits, which another administrator has made. */
export function DecideButtons({ adjustment }: { adjustment: Adjustment }) {
  const { t } = useTranslation("adjustments");
  const me = useOwnAccount();
  if (adjustment.created_by?.auth_id === me)
    return (
      <Text size="xs" c="dimmed">
        {t("yourOwn")}
      </Text>
    );
  return (
    <Allowed area="money" inRow>
      <Group gap="xs">
        <DecideButton adjustment={adjustment} decision="approve" />
        <DecideButton adjustment={adjustment} decision="refuse" />
      </Group>
    </Allowed>
  );
}
