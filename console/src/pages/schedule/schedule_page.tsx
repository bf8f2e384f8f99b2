import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";
import { ActiveSwitch, EditScheduleButton, RunNowButton } from "./job_actions.tsx";
import { JobRuns } from "./job_runs.tsx";
import { useJobTitle } from "./schedule_title.ts";
import { useScheduleInWords } from "./schedule_words.ts";

type ScheduledJob = Admin["ScheduledJob"];

const lookAgain = 15_000;

function Job({ job }: { job: ScheduledJob }) {
  const { t } = useTranslation("operation");
  const inWords = useScheduleInWords();
  const title = useJobTitle()(job);
  const words = inWords(job.schedule) ?? job.schedule;
  return (
    <Section title={title} about={<code>{job.name}</code>} actions={<Group gap="xs"><ActiveSwitch job={job} /><EditScheduleButton job={job} /><RunNowButton job={job} /></Group>}>
      <Stack gap="sm">
        <DescriptionList
          items={[
            [t("schedule.when"), <span key="when">{words} <Text span size="xs" c="dimmed" ff="monospace">{job.schedule}</Text></span>],
            [t("schedule.presetTitle"), job.preset === job.schedule ? <Tag key="preset" color="gray">{t("schedule.isPreset")}</Tag> : inWords(job.preset) ?? job.preset],
            [t("schedule.next"), job.is_active ? <Time key="next" value={job.next_run} /> : <Tag key="paused" color="orange">{t("schedule.paused")}</Tag>],
          ]}
        />
        <JobRuns name={job.name} runs={job.runs} label={`${t("schedule.runs")}: ${title}`} />
      </Stack>
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("operation");
  const answer = useAdmin().useQuery("get", "/adminapi/system/crontab", {}, { refetchInterval: lookAgain });
  return (
    <Page title={t("schedule.title")} about={answer.data && t("schedule.about", { zone: answer.data.time_zone })}>
      <QueryResult of={answer} lines={10}>{({ list }) => list.map((job) => <Job key={job.name} job={job} />)}</QueryResult>
    </Page>
  );
}
