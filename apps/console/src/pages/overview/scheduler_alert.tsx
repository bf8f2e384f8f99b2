import { Alert, Code, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";

const commands = {
  missing: "create extension if not exists pg_cron;\nselect app.apply_schedule();",
  not_scheduled: "select app.apply_schedule();",
  late: "select * from cron.job_run_details order by runid desc limit 10;",
};

/** Says that no scheduled job runs, and how to mend it. */
export function SchedulerAlert({ state }: { state: Admin["Overview"]["scheduler"] }) {
  const { t } = useTranslation("overview");
  if (state === "ok") return null;
  return (
    <Alert color="red" role="alert" icon={<TriangleAlert aria-hidden />} title={t(`scheduler.${state}.title`)}>
      <Text size="sm">
        {t("scheduler.meaning")} {t(`scheduler.${state}.mend`)}
      </Text>
      <Code block mt="xs">
        {commands[state]}
      </Code>
    </Alert>
  );
}
