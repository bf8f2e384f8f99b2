import { Alert, Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { Pencil, Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { notify } from "../../components/notify.ts";
import { useFormatTime } from "../../components/time.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { failureOf } from "../../../../shared/failure.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { useScheduledJobTitle } from "./scheduled_job_title.ts";
import { SchedulePicker } from "./schedule_picker.tsx";
import { useScheduleInWords } from "./schedule_words.ts";

type ScheduledJob = Admin["ScheduledJob"];

function useChangeJob() {
  const { admin } = useStore();
  return useAction((body: { name: string; schedule?: string; is_active?: boolean }, key) =>
    admin.PUT("/adminapi/system/crontab", { body, ...key }),
  );
}

/** Switches a job on or off, without a confirm dialog, because it is easy to revert. */
export function ActiveSwitch({ job }: { job: ScheduledJob }) {
  const { t } = useTranslation(["schedule", "common"]);
  const title = useScheduledJobTitle()(job);
  const change = useChangeJob();
  return (
    <Allowed area="system" inRow>
      <Switch
        aria-label={t("toggle", { title })}
        checked={job.is_active}
        disabled={change.isPending}
        error={change.error ? failureOf(change.error).title : undefined}
        onChange={({ currentTarget: { checked } }) =>
          change.mutate({ name: job.name, is_active: checked }, { onSuccess: () => notify(t("common:saved")) })
        }
      />
    </Allowed>
  );
}

/** Changes the schedule of a job, and shows it in words during the edit. */
export function EditScheduleButton({ job }: { job: ScheduledJob }) {
  const { t } = useTranslation(["schedule", "common"]);
  const inWords = useScheduleInWords();
  const title = useScheduledJobTitle()(job);
  const [schedule, setSchedule] = useState(job.schedule);
  const confirmation = useConfirmedAction(useChangeJob(), () => t("common:saved"));
  const words = inWords(schedule);
  const open = () => {
    setSchedule(job.schedule);
    confirmation.ask();
  };
  return (
    <>
      <Allowed area="system" inRow>
        <Button
          size="xs"
          variant="default"
          leftSection={<Pencil size={14} aria-hidden />}
          aria-label={`${t("common:edit")}: ${title}`}
          onClick={open}
        >
          {t("common:edit")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("editTitle", { title })}
        action={t("common:save")}
        disabled={!words || schedule.trim() === job.schedule}
        onConfirm={() => confirmation.confirm({ name: job.name, schedule: schedule.trim() })}
      >
        <SchedulePicker schedule={schedule} onChange={setSchedule} />
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t("expression")}
            description={t("expressionHint")}
            value={schedule}
            onChange={(event) => setSchedule(event.currentTarget.value)}
            styles={{ input: { fontFamily: "monospace" } }}
          />
          <Button variant="default" onClick={() => setSchedule(job.preset)} disabled={schedule === job.preset}>
            {t("preset")}
          </Button>
        </Group>
        <Alert color={words ? "blue" : "orange"} title={t("inWords")} role="status">
          {words ?? t("notUnderstood")}
        </Alert>
        <Text size="sm" c="dimmed">
          {t("presetIs", { words: inWords(job.preset) ?? job.preset })}
        </Text>
      </ConfirmDialog>
    </>
  );
}

/** Runs a job once. */
export function RunNowButton({ job }: { job: ScheduledJob }) {
  const { t } = useTranslation("schedule");
  const { admin } = useStore();
  const formatTime = useFormatTime();
  const title = useScheduledJobTitle()(job);
  const run = useAction((name: string, key) =>
    admin.POST("/adminapi/system/crontab/{name}/run", { params: { path: { name } }, body: {}, ...key }),
  );
  const confirmation = useConfirmedAction(run, ({ runs_at }) => t("runDone", { time: formatTime(runs_at) }));
  return (
    <>
      <Allowed area="system" inRow>
        <Button
          size="xs"
          variant="default"
          leftSection={<Play size={14} aria-hidden />}
          aria-label={`${t("run")}: ${title}`}
          onClick={confirmation.ask}
        >
          {t("run")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("runTitle", { title })}
        action={t("run")}
        onConfirm={() => confirmation.confirm(job.name)}
      >
        <Text>{t("runMeaning")}</Text>
      </ConfirmDialog>
    </>
  );
}
