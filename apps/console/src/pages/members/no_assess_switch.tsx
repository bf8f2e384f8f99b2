import { Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Allowed } from "../../components/allowed.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useFormatTime } from "../../components/time.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

interface Flagged {
  uid: number;
  nickname: string;
  no_assess: boolean;
}

function LastChange({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const formatTime = useFormatTime();
  const result = useAdmin("/adminapi/user/{uid}/no_assess_change", { params: { path: { uid }, query: { limit: 1 } } });
  return (
    <QueryResult of={result} lines={1}>
      {({ list: [last] }) => (
        <Text size="sm" c="dimmed">
          {last
            ? t("flag.last", {
                time: formatTime(last.add_time),
                who: last.changed_by?.nickname ?? last.changed_by?.auth_id ?? "?",
              })
            : t("flag.never")}
        </Text>
      )}
    </QueryResult>
  );
}

/**
 * Shows and sets whether a member is excluded from the assessment, after a confirm dialog, and shows who last changed
 * it.
 */
export function NoAssessSwitch({ member: { uid, nickname, no_assess } }: { member: Flagged }) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  const set = useAction((value: boolean, key) =>
    admin.PUT("/adminapi/hjf/member/{uid}/no_assess", {
      params: { path: { uid } },
      body: { no_assess: value },
      ...key,
    }),
  );
  const confirmation = useConfirmedAction(set, () => t(no_assess ? "flag.undone" : "flag.done", { nickname }));

  return (
    <>
      <Allowed area="members" inRow>
        <Switch checked={no_assess} onChange={confirmation.ask} aria-label={t("flag.label", { nickname })} />
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t(no_assess ? "flag.clear" : "flag.set", { nickname })}
        action={t(no_assess ? "flag.clearAction" : "flag.setAction")}
        onConfirm={() => confirmation.confirm(!no_assess)}
      >
        <Text>{t(no_assess ? "flag.clearMeaning" : "flag.setMeaning")}</Text>
        {confirmation.dialog.opened && <LastChange uid={uid} />}
      </ConfirmDialog>
    </>
  );
}
