import { Alert, Group, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { ActiveSwitch, EditScheduleButton, RunNowButton } from "./scheduled_job_controls.tsx";
import { ScheduledJobRuns } from "./scheduled_job_runs.tsx";
import { useScheduledJobTitle } from "./scheduled_job_title.ts";
import { useScheduleInWords } from "./schedule_words.ts";

type ScheduledJob = Admin["ScheduledJob"];

const lookAgain = 15_000;

function ScheduledJobSection({ job }: { job: ScheduledJob }) {
  const { t } = useTranslation("schedule");
  const inWords = useScheduleInWords();
  const title = useScheduledJobTitle()(job);
  const words = inWords(job.schedule) ?? job.schedule;
  return (
    <Section
      title={title}
      actions={
        <Group gap="xs">
          <ActiveSwitch job={job} />
          <EditScheduleButton job={job} />
          <RunNowButton job={job} />
        </Group>
      }
    >
      <Stack gap="sm">
        <DescriptionList
          items={[
            [t("when"), words],
            [
              t("presetTitle"),
              job.preset === job.schedule ? (
                <Tag key="preset" color="gray">
                  {t("isPreset")}
                </Tag>
              ) : (
                (inWords(job.preset) ?? job.preset)
              ),
            ],
            [
              t("next"),
              job.is_active ? (
                <Time key="next" value={job.next_run} />
              ) : (
                <Tag key="paused" color="orange">
                  {t("paused")}
                </Tag>
              ),
            ],
          ]}
        />
        {job.unfinished_since && (
          <Alert color="orange" title={t("unfinished")}>
            {t("cutSince")} <Time value={job.unfinished_since} />
          </Alert>
        )}
        <ScheduledJobRuns name={job.name} runs={job.runs} label={`${t("runs")}: ${title}`} />
      </Stack>
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("schedule");
  const result = useAdmin("/adminapi/system/crontab", {}, { refetchInterval: lookAgain });
  return (
    <Page title={t("title")} about={result.data && t("about", { zone: result.data.time_zone })}>
      <QueryResult of={result} lines={10}>
        {({ list }) => list.map((job) => <ScheduledJobSection key={job.name} job={job} />)}
      </QueryResult>
    </Page>
  );
}
