import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { ScrollBox } from "../../components/scroll_box.tsx";
import { Section } from "../../components/section.tsx";
import type { Draft } from "../../components/use_draft.ts";
import { taskTypes } from "../../store/enumerations.ts";
import { gradeAbove, type LevelsForm } from "./levels_draft.ts";

/** A property of the grades: a row of the matrix. */
interface Property {
  title: string;
  hint?: string;
  /** The input of a grade. Grade 0 has no tasks, so that it may have none. */
  input: (grade: number, label: string) => ReactNode;
}

function useProperties({ form }: Draft<LevelsForm>): Property[] {
  const { t } = useTranslation(["levels", "words"]);
  const at = (grade: number, field: string) => form.getInputProps(`levels.${grade}.${field}`);
  const name = (field: "name" | "name_zh", title: string): Property => ({
    title,
    input: (grade, label) => <TextInput {...at(grade, field)} aria-label={label} maxLength={50} required />,
  });
  const points = (field: "direct_points" | "umbrella_points", title: string, hint: string): Property => ({
    title,
    hint,
    input: (grade, label) => (
      <NumberInput
        {...at(grade, field)}
        aria-label={label}
        min={0}
        decimalScale={4}
        thousandSeparator=","
        hideControls
      />
    ),
  });
  return [
    name("name_zh", t("nameZh")),
    name("name", t("name")),
    points("direct_points", t("directPoints"), t("directPointsHint")),
    points("umbrella_points", t("umbrellaPoints"), t("umbrellaPointsHint")),
    ...taskTypes.map((type): Property => ({
      title: t(`words:task.${type}`),
      hint: t("taskHint"),
      input: (grade, label) =>
        grade > 0 && (
          <NumberInput
            {...at(grade, `tasks.${type}`)}
            aria-label={label}
            placeholder={t("noTask")}
            min={1}
            allowDecimal={false}
            hideControls
          />
        ),
    })),
    {
      title: t("active"),
      input: (grade, label) => (
        <Switch {...form.getInputProps(`levels.${grade}.is_active`, { type: "checkbox" })} aria-label={label} />
      ),
    },
  ];
}

/** All grades as one matrix, lowest first. Only the highest can be removed, because grades have no gaps. */
export function LevelFields({ draft, save }: { draft: Draft<LevelsForm>; save: ReactNode }) {
  const { t } = useTranslation("levels");
  const { form } = draft;
  const { levels } = form.values;
  const properties = useProperties(draft);
  return (
    <Section title={t("list")} about={t("noTasks")}>
      <Stack component="form" onSubmit={(event) => event.preventDefault()}>
        <RestoredNotice draft={draft} />
        <ScrollBox label={t("list")}>
          <Table className="matrix" withRowBorders verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <VisuallyHidden>{t("property")}</VisuallyHidden>
                </Table.Th>
                {levels.map((_, grade) => (
                  <Table.Th key={grade} scope="col">
                    <Group gap={4} wrap="nowrap">
                      {t("grade", { grade })}
                      {grade > 0 && grade === levels.length - 1 && (
                        <ActionIcon
                          variant="subtle"
                          color="red"
                          aria-label={t("remove", { grade })}
                          onClick={() => form.removeListItem("levels", grade)}
                        >
                          <Trash2 size={14} aria-hidden />
                        </ActionIcon>
                      )}
                    </Group>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {properties.map(({ title, hint, input }) => (
                <Table.Tr key={title}>
                  <Table.Th scope="row">
                    {title}
                    {hint && (
                      <Text size="xs" c="dimmed" fw={400}>
                        {hint}
                      </Text>
                    )}
                  </Table.Th>
                  {levels.map((_, grade) => (
                    <Table.Td key={grade} data-head={t("grade", { grade })}>
                      {input(grade, t("of", { field: title, grade }))}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
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
