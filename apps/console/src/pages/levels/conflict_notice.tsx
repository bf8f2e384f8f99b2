import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { GitMerge } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor } from "../../components/actor.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { formatPoints } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Time } from "../../components/time.tsx";
import type { TaskType } from "../../store/enumerations.ts";
import type { LevelsForm } from "./levels_draft.ts";
import { differencesOf, type LevelDifference } from "./levels_merge.ts";

interface ConflictNoticeProps {
  /** The version that someone else saved. */
  saved: Admin["AgentLevels"]["versions"][number] | undefined;
  before: LevelsForm;
  theirs: LevelsForm;
  mine: LevelsForm;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onReload: () => void;
}

const column = columnsOf<LevelDifference>();
const names = {
  name: "name",
  name_zh: "nameZh",
  direct_points: "directPoints",
  umbrella_points: "umbrellaPoints",
  is_active: "active",
} as const;

function useFieldName(): (difference: LevelDifference) => string {
  const { t } = useTranslation(["levels", "words"]);
  return ({ grade, field }) => {
    if (field === undefined) return t("grade", { grade });
    const name = field.startsWith("tasks.")
      ? t(`words:task.${field.slice("tasks.".length) as TaskType}`)
      : t(names[field as keyof typeof names]);
    return t("of", { field: name, grade });
  };
}

/** Shows that someone else saved the levels during the edit, with the differences and a choice. */
export function ConflictNotice({
  saved,
  before,
  theirs,
  mine,
  onKeepMine,
  onTakeTheirs,
  onReload,
}: ConflictNoticeProps) {
  const { t } = useTranslation(["levels", "common"]);
  const nameOf = useFieldName();
  const show = (value: unknown) => {
    if (value === undefined || value === "") return "–";
    if (typeof value === "boolean") return t(value ? "common:yes" : "common:no");
    return typeof value === "number" ? formatPoints(value) : (value as string);
  };
  const columns = [
    column.words("field", t("common:change.what"), nameOf),
    column.custom({ id: "before", title: t("conflict.before"), align: "right", cell: ({ values }) => show(values[0]) }),
    column.custom({ id: "theirs", title: t("conflict.theirs"), align: "right", cell: ({ values }) => show(values[1]) }),
    column.custom({ id: "mine", title: t("conflict.mine"), align: "right", cell: ({ values }) => show(values[2]) }),
  ];
  return (
    <Alert color="orange" role="alert" icon={<GitMerge size={18} aria-hidden />} title={t("conflict.title")}>
      <Stack gap="sm">
        <Text size="sm">
          {t("conflict.about")}{" "}
          {saved && (
            <>
              {t("conflict.saved", { version: saved.version })} <Actor actor={saved.created_by} />,{" "}
              <Time value={saved.created_at} />
            </>
          )}
        </Text>
        <PlainTable
          label={t("conflict.title")}
          columns={columns}
          rows={differencesOf([before, theirs, mine])}
          rowId={({ grade, field }) => `${grade} ${field}`}
          maxHeight={320}
        />
        <Group gap="xs">
          <Button size="xs" onClick={onKeepMine}>
            {t("conflict.keepMine")}
          </Button>
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            {t("conflict.takeTheirs")}
          </Button>
          <Button size="xs" variant="default" onClick={onReload}>
            {t("conflict.reload")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
