import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import type { Draft } from "../../components/use_draft.ts";
import { taskTypes } from "../../store/enumerations.ts";
import { gradeAbove, type LevelsForm } from "./levels_draft.ts";

/** One grade: its names, points and tasks. */
function GradeFields({ grade, draft: { form }, isLast }: { grade: number; draft: Draft<LevelsForm>; isLast: boolean }) {
  const { t } = useTranslation(["levels", "words"]);
  const at = (field: string) => form.getInputProps(`levels.${grade}.${field}`);
  return (
    <Fieldset legend={t("grade", { grade })}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, md: 4 }} style={{ alignItems: "end" }}>
          <TextInput {...at("name")} label={t("name")} maxLength={50} required />
          <TextInput {...at("name_zh")} label={t("nameZh")} maxLength={50} required />
          <NumberInput
            {...at("direct_points")}
            label={t("directPoints")}
            description={t("directPointsHint")}
            min={0}
            decimalScale={4}
            thousandSeparator=","
          />
          <NumberInput
            {...at("umbrella_points")}
            label={t("umbrellaPoints")}
            description={t("umbrellaPointsHint")}
            min={0}
            decimalScale={4}
            thousandSeparator=","
          />
        </SimpleGrid>
        {grade === 0 ? (
          <Text size="sm" c="dimmed">
            {t("noTasks")}
          </Text>
        ) : (
          <SimpleGrid cols={{ base: 2, md: 4 }} role="group" aria-label={t("tasks")} style={{ alignItems: "end" }}>
            {taskTypes.map((type) => (
              <NumberInput
                key={type}
                {...at(`tasks.${type}`)}
                label={t(`words:task.${type}`)}
                min={1}
                allowDecimal={false}
              />
            ))}
          </SimpleGrid>
        )}
        <Group justify="space-between">
          <Switch {...form.getInputProps(`levels.${grade}.is_active`, { type: "checkbox" })} label={t("active")} />
          {isLast && grade > 0 && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => form.removeListItem("levels", grade)}
            >
              {t("remove", { grade })}
            </Button>
          )}
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** All grades, lowest first. Only the highest can be removed, because grades have no gaps. */
export function LevelFields({ draft, save }: { draft: Draft<LevelsForm>; save: ReactNode }) {
  const { t } = useTranslation("levels");
  const { form } = draft;
  const { levels } = form.values;
  return (
    <Section title={t("list")}>
      <Stack component="form" onSubmit={(event) => event.preventDefault()}>
        <RestoredNotice draft={draft} />
        {levels.map((_, grade) => (
          <GradeFields key={grade} grade={grade} draft={draft} isLast={grade === levels.length - 1} />
        ))}
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => form.insertListItem("levels", gradeAbove(levels.at(-1)!))}
          >
            {t("add")}
          </Button>
          <Group>{save}</Group>
        </Group>
      </Stack>
    </Section>
  );
}
