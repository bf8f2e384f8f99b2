import { Button, Checkbox, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { useLevelName } from "./level_badge.tsx";

interface Setting {
  agent_level: number;
  hold: boolean;
}

/** Sets the grade of a member, and whether it is held, after a confirm dialog. */
export function SetLevelButton({
  member: { uid, nickname, agent_level, level_is_held },
}: {
  member: Admin["MemberPage"];
}) {
  const { t } = useTranslation(["members", "words"]);
  const { admin } = useStore();
  const { all } = useLevelName();
  const [grade, setGrade] = useState(agent_level);
  const [chosenHold, setHold] = useState<boolean>();
  const set = useAction((body: Setting, key) =>
    admin.PUT("/adminapi/hjf/member/{uid}/level", { params: { path: { uid } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(set, () => t("setLevel.done"));
  // The default of the store: a lowered grade is held.
  const hold = chosenHold ?? (level_is_held || grade < agent_level);

  const open = () => {
    setGrade(agent_level);
    setHold(undefined);
    confirmation.ask();
  };

  return (
    <>
      <Allowed area="members">
        <Button variant="default" onClick={open}>
          {t("setLevel.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("setLevel.title", { nickname })}
        action={t("setLevel.action")}
        disabled={grade === agent_level && hold === level_is_held}
        onConfirm={() => confirmation.confirm({ agent_level: grade, hold })}
      >
        <Text>{t("setLevel.meaning")}</Text>
        <Select
          label={t("words:level")}
          data={all
            .filter(({ isActive }) => isActive)
            .map(({ grade: value, name }) => ({ value: String(value), label: name }))}
          value={String(grade)}
          onChange={(value) => setGrade(Number(value))}
          allowDeselect={false}
        />
        <Checkbox
          label={t("setLevel.hold")}
          description={t("setLevel.holdHint")}
          checked={hold}
          onChange={({ currentTarget: { checked } }) => setHold(checked)}
        />
      </ConfirmDialog>
    </>
  );
}
