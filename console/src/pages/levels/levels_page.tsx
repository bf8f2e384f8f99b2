import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor } from "../../parts/actor.tsx";
import { Answer } from "../../parts/answer.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, PlainTable } from "../../parts/plain_table.tsx";
import { Section } from "../../parts/section.tsx";
import { Time } from "../../parts/time.tsx";
import { useDraft } from "../../parts/use_draft.ts";
import { useAdmin } from "../../store/store.tsx";
import { Simulation } from "../plan/simulation.tsx";
import { WorstOrder } from "../plan/worst_order.tsx";
import { LevelFields } from "./level_fields.tsx";
import { formOf, type LevelsForm, levelsOf } from "./levels_draft.ts";
import { SaveLevelsButton } from "./save_levels_button.tsx";

type Version = Admin["AgentLevels"]["versions"][number];

function LevelsEditor({ levels, version }: { levels: Admin["AgentLevel"][]; version: number }) {
  const draft = useDraft<LevelsForm>(`levels ${version}`, formOf(levels));
  const changed = levelsOf(draft.form.values);
  return (
    <Stack>
      <LevelFields draft={draft} save={<SaveLevelsButton draft={draft} version={version} />} />
      <WorstOrder levels={changed} />
      <Simulation draft={{ levels: changed }} />
    </Stack>
  );
}

function Versions({ versions }: { versions: Version[] }) {
  const { t, i18n } = useTranslation("levels");
  const columns = useMemo<Column<Version>[]>(() => [
    { id: "version", title: t("version"), align: "right", cell: ({ version }) => version },
    { id: "when", title: t("when"), cell: ({ created_at }) => <Time value={created_at} /> },
    { id: "who", title: t("who"), cell: ({ created_by }) => <Actor actor={created_by} /> },
  ], [t, i18n.language]);
  return (
    <Section title={t("versions")}>
      {versions.length === 0 ? <Text size="sm" c="dimmed">{t("emptyVersions")}</Text> : <PlainTable label={t("versions")} columns={columns} rows={versions} rowId={({ version }) => version} />}
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("levels");
  const answer = useAdmin().useQuery("get", "/adminapi/agent/level");
  return (
    <Page title={t("title")} about={t("about")}>
      <Answer of={answer} lines={10}>
        {({ list, version, versions }) => (
          <>
            <LevelsEditor key={version} levels={list} version={version} />
            <Versions versions={versions} />
          </>
        )}
      </Answer>
    </Page>
  );
}
