import { Alert, Group, Paper, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { noWidths, PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { Tag } from "../../components/tag.tsx";
import { Ago, Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { ActiveSwitch, EditScheduleButton, RunNowButton } from "./scheduled_job_controls.tsx";
import { RunResult, ScheduledJobRuns } from "./scheduled_job_runs.tsx";
import { useScheduledJobTitle } from "./scheduled_job_title.ts";
import { useScheduleInWords } from "./schedule_words.ts";

type ScheduledJob = Admin["ScheduledJob"];

const column = columnsOf<ScheduledJob>();
const lookAgain = 15_000;

/** When a job runs next, unless it is switched off. */
function NextRun({ job }: { job: ScheduledJob }) {
  const { t } = useTranslation("schedule");
  return job.is_active ? <Time value={job.next_run} /> : <Tag color="orange">{t("paused")}</Tag>;
}

/** A job with its last runs. */
function JobDrawer({ job, onClose }: { job: ScheduledJob; onClose: () => void }) {
  const { t } = useTranslation("schedule");
  const inWords = useScheduleInWords();
  const title = useScheduledJobTitle()(job);
  return (
    <SideDrawer title={title} onClose={onClose}>
      <Stack gap="sm">
        <Group gap="xs">
          <EditScheduleButton job={job} />
          <RunNowButton job={job} />
        </Group>
        <DescriptionList
          items={[
            [t("name"), <code key="name">{job.name}</code>],
            [t("when"), inWords(job.schedule) ?? job.schedule],
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
            [t("next"), <NextRun key="next" job={job} />],
          ]}
        />
        {job.unfinished_since && (
          <Alert color="orange" title={t("unfinished")}>
            {t("cutSince")} <Time value={job.unfinished_since} />
          </Alert>
        )}
        <ScheduledJobRuns name={job.name} runs={job.runs} label={`${t("runs")}: ${title}`} />
      </Stack>
    </SideDrawer>
  );
}

export function Component() {
  const { t } = useTranslation("schedule");
  const result = useAdmin("/adminapi/system/crontab", {}, { refetchInterval: lookAgain });
  const opened = useOpened("job");
  const inWords = useScheduleInWords();
  const titleOf = useScheduledJobTitle();
  const { list = [] } = result.data ?? {};
  const shown = list.find(({ name }) => name === opened.id);
  const columns = [
    column.custom({
      id: "title",
      title: t("job"),
      width: 232,
      cell: (job) => <OpenLink name="job" id={job.name} title={titleOf(job)} />,
    }),
    column.custom({ id: "next", title: t("next"), width: 124, cell: (job) => <NextRun job={job} /> }),
    column.custom({
      id: "result",
      title: t("lastResult"),
      width: 136,
      cell: ({ runs: [last], unfinished_since }) => (
        <Group gap={4}>
          {unfinished_since ? <Tag color="orange">{t("unfinished")}</Tag> : last && <RunResult run={last} />}
        </Group>
      ),
    }),
    column.custom({
      id: "active",
      title: t("active"),
      width: 84,
      cell: (job) => <ActiveSwitch job={job} />,
    }),
    column.words("schedule", t("when"), ({ schedule }) => inWords(schedule) ?? schedule, { width: 152 }),
    column.custom({
      id: "actions",
      title: t("actions"),
      width: 224,
      cell: (job) => (
        <Group gap="xs" wrap="nowrap">
          <EditScheduleButton job={job} />
          <RunNowButton job={job} />
        </Group>
      ),
    }),
    column.custom({
      id: "lastRun",
      title: t("lastRun"),
      width: 136,
      cell: ({ runs: [last] }) => <Ago value={last?.started_at} />,
    }),
    column.text("name", t("name"), { width: 240, clipped: true }),
  ];
  return (
    <Page title={t("title")} about={result.data && t("about", { zone: result.data.time_zone })}>
      <QueryResult of={result} lines={10}>
        {() => (
          <Paper withBorder style={{ overflow: "clip" }}>
            <PlainTable label={t("title")} columns={columns} rows={list} rowId={({ name }) => name} widths={noWidths} />
          </Paper>
        )}
      </QueryResult>
      {shown && <JobDrawer key={shown.name} job={shown} onClose={opened.close} />}
    </Page>
  );
}
