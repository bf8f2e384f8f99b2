import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Tag } from "../../components/tag.tsx";

type Run = Admin["ScheduledJob"]["runs"][number];

const column = columnsOf<Run>();

const colors: Record<string, string> = { succeeded: "green", failed: "red", cut: "orange" };

/** Whether the run has an error message. */
const hasMessage = (status: string) => status === "failed" || status === "cut";

function seconds({ started_at, ended_at }: Run): string | undefined {
  if (!started_at || !ended_at) return undefined;
  return ((Date.parse(ended_at) - Date.parse(started_at)) / 1000).toFixed(1);
}

/** How a run ended, and whether somebody has started it. */
export function RunResult({ run: { status, by_hand } }: { run: Run }) {
  const { t, i18n } = useTranslation("schedule");
  const words = i18n.exists(`schedule:status.${status}`) ? t(`status.${status as "failed"}`) : status;
  return (
    <>
      <Tag color={colors[status] ?? "blue"}>{words}</Tag>
      {by_hand && (
        <Tag color="gray" ml={4}>
          {t("byHand")}
        </Tag>
      )}
    </>
  );
}

/** The last runs of a job, newest first. */
export function ScheduledJobRuns({ name, runs, label }: { name: string; runs: Run[]; label: string }) {
  const { t, i18n } = useTranslation("schedule");
  const statusInWords = (status: string) =>
    i18n.exists(`schedule:status.${status}`) ? t(`status.${status as "failed"}`) : status;
  const columns = [
    column.time("started_at", t("started")),
    column.custom({
      id: "result",
      title: t("result"),
      cell: (run) => <RunResult run={run} />,
      csv: ({ status, by_hand }) => [statusInWords(status), by_hand && t("byHand")].filter(Boolean).join(", "),
    }),
    column.custom({
      id: "took",
      title: t("took"),
      align: "right",
      cell: (run) => (seconds(run) ? t("seconds", { seconds: seconds(run) }) : "–"),
      csv: seconds,
    }),
    column.custom({
      id: "message",
      title: t("message"),
      cell: ({ status, message }) =>
        hasMessage(status) && (
          <Text size="sm" c="dimmed">
            {message}
          </Text>
        ),
      csv: ({ status, message }) => (hasMessage(status) ? message : ""),
    }),
  ];
  return (
    <PlainTable
      label={label}
      columns={columns}
      rows={runs}
      rowId={({ started_at, status }) => `${started_at} ${status}`}
      empty={t("noRuns")}
      exportAs={`runs of ${name}`}
      maxHeight={170}
    />
  );
}
