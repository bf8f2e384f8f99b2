import { Button, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useDeed } from "../../components/use_deed.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";
import { useLevelName } from "./level_badge.tsx";

/** Sets the grade of a member by hand, after a dialog. */
export function SetLevelButton({ member: { uid, nickname, agent_level } }: { member: { uid: number; nickname: string; agent_level: number } }) {
  const { t } = useTranslation(["users", "words"]);
  const { admin } = useStore();
  const { all } = useLevelName();
  const [grade, setGrade] = useState(agent_level);
  const set = useAction((level: number, key) => admin.PUT("/adminapi/hjf/member/{uid}/level", { params: { path: { uid } }, body: { agent_level: level }, ...key }));
  const deed = useDeed(set, () => t("setLevel.done"));

  const open = () => {
    setGrade(agent_level);
    deed.ask();
  };

  return (
    <>
      <Button variant="default" onClick={open}>{t("setLevel.open")}</Button>
      <ConfirmDialog
        {...deed.dialog}
        title={t("setLevel.title", { nickname })}
        deed={t("setLevel.deed")}
        disabled={grade === agent_level}
        onConfirm={() => deed.confirm(grade)}
      >
        <Text>{t("setLevel.meaning")}</Text>
        <Select
          label={t("words:level")}
          data={all.filter(({ isActive }) => isActive).map(({ grade: value, name }) => ({ value: String(value), label: name }))}
          value={String(grade)}
          onChange={(value) => setGrade(Number(value))}
          allowDeselect={false}
        />
      </ConfirmDialog>
    </>
  );
}
