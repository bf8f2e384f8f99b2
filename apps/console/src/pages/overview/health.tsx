import { Anchor, Box, Button, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { languageTag } from "../../../../shared/language_tag.ts";
import { formatCount, formatPoints } from "../../components/figures.tsx";
import { Tag } from "../../components/tag.tsx";
import { Ago, Day, formatDay, Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { useScheduledJobTitle } from "../schedule/scheduled_job_title.ts";

function Tile({ title, to, badge, children }: { title: string; to: string; badge: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap={4} mb={4} align="flex-start">
        <Anchor component={Link} to={to} fw={600}>
          {title}
        </Anchor>
        {badge}
      </Stack>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
    </Paper>
  );
}

function State({ good, children }: { good: boolean; children: ReactNode }) {
  return <Tag color={good ? "green" : "red"}>{children}</Tag>;
}

/** The number of waiting, failed and late settlements, and when the oldest was due. */
function Settlements({
  jobs: { waiting, dead, due_since, is_late, import_since },
}: {
  jobs: Admin["Overview"]["jobs"];
}) {
  const { t } = useTranslation("overview");
  const badge = (
    <Group gap={6}>
      {is_late && <State good={false}>{t("late")}</State>}
      {(dead > 0 || !is_late) && <State good={dead === 0}>{t("dead", { dead: formatCount(dead) })}</State>}
    </Group>
  );
  return (
    <Tile title={t("jobs")} to="/jobs" badge={badge}>
      {t("waiting", { waiting: formatCount(waiting) })}
      {due_since && (
        <div>
          {t("dueSince")} <Ago value={due_since} />
        </div>
      )}
      {import_since && (
        <div>
          {t("importSince")} <Time value={import_since} />. {t("importMend")}
        </div>
      )}
    </Tile>
  );
}

/** The scheduled jobs that are overdue. */
function Schedule({ late, state }: { late: string[]; state: Admin["Overview"]["scheduler"] }) {
  const { t } = useTranslation("overview");
  const { data } = useAdmin("/adminapi/system/crontab", {}, { enabled: late.length > 0 });
  const titleOf = useScheduledJobTitle();
  const titles = late.map((name) => {
    const job = data?.list.find((scheduled) => scheduled.name === name);
    return job ? titleOf(job) : name;
  });
  if (state !== "ok")
    return (
      <Tile title={t("schedule")} to="/schedule" badge={<State good={false}>{t("notRunning")}</State>}>
        {t(`scheduler.${state}.title`)}
      </Tile>
    );
  return (
    <Tile
      title={t("schedule")}
      to="/schedule"
      badge={
        <State good={late.length === 0}>
          {late.length === 0 ? t("onTime") : t("lateJobs", { late: formatCount(late.length) })}
        </State>
      }
    >
      {late.length === 0
        ? t("allOnTime")
        : t("notRun", { titles: new Intl.ListFormat(languageTag(), { type: "conjunction" }).format(titles) })}
    </Tile>
  );
}

/** How many runs were cut by a time limit, an error or a restart. */
function Cuts({ cuts }: { cuts: number }) {
  const { t } = useTranslation("overview");
  return cuts > 0 && <div>{t("cuts", { cuts: formatCount(cuts) })}</div>;
}

/** Release, settlements, schedule and reconciliation, each with its state. */
function Parts({
  overview: { last_release, jobs, late_jobs, scheduler, last_reconcile },
}: {
  overview: Admin["Overview"];
}) {
  const { t } = useTranslation("overview");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }}>
      <Tile
        title={t("lastRelease")}
        to="/release-log"
        badge={
          last_release && (
            <State good={last_release.failures === 0}>{t("failures", { failures: last_release.failures })}</State>
          )
        }
      >
        {last_release ? (
          <>
            <Day value={last_release.release_date} />:{" "}
            {t("released", { points: formatPoints(last_release.points), count: last_release.users })}{" "}
            {!last_release.finished_at && t("running")}
            <Cuts cuts={last_release.cuts} />
          </>
        ) : (
          t("noRelease")
        )}
      </Tile>
      <Settlements jobs={jobs} />
      <Schedule late={late_jobs} state={scheduler} />
      <Tile
        title={t("reconcile")}
        to="/check?tab=reconcile"
        badge={
          last_reconcile?.finished_at && (
            <State good={last_reconcile.findings === 0}>
              {last_reconcile.findings === 0 ? t("reconciled") : t("findings", { findings: last_reconcile.findings })}
            </State>
          )
        }
      >
        {last_reconcile ? (
          <>
            {last_reconcile.finished_at ? <Ago value={last_reconcile.finished_at} /> : t("running")}
            <Cuts cuts={last_reconcile.cuts} />
          </>
        ) : (
          t("never")
        )}
      </Tile>
    </SimpleGrid>
  );
}

/** Whether nothing is late, has failed or differs. */
function isGreen({ last_release, jobs, late_jobs, scheduler, clock, last_reconcile }: Admin["Overview"]): boolean {
  return (
    [scheduler, clock].every((state) => state === "ok") &&
    late_jobs.length === 0 &&
    !jobs.is_late &&
    jobs.dead === 0 &&
    jobs.import_since === null &&
    (last_release?.failures ?? 0) === 0 &&
    (last_reconcile?.findings ?? 0) === 0
  );
}

/** The state of the background work as one line, which is open when something is wrong. */
export function Health({ overview }: { overview: Admin["Overview"] }) {
  const { t } = useTranslation("overview");
  const isGood = isGreen(overview);
  const [chosen, choose] = useState<boolean>();
  const isOpen = chosen ?? !isGood;
  const { last_release, jobs, last_reconcile } = overview;
  const facts = [
    last_release &&
      t("health.released", { day: formatDay(last_release.release_date), points: formatPoints(last_release.points) }),
    t("health.settled", { waiting: formatCount(jobs.waiting) }),
  ];
  return (
    <Paper withBorder px="md" py="xs" component="section" aria-label={t("health.title")}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <State good={isGood}>{t(isGood ? "health.good" : "health.bad")}</State>
          {isGood && (
            <Text size="sm">
              {facts.filter(Boolean).join(" · ")}
              {last_reconcile?.finished_at && (
                <>
                  {" · "}
                  {t("health.reconciled")} <Ago value={last_reconcile.finished_at} />
                </>
              )}
            </Text>
          )}
        </Group>
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => choose(!isOpen)}>
          {t("health.details")}
        </Button>
      </Group>
      {isOpen && (
        <Box mt="xs">
          <Parts overview={overview} />
        </Box>
      )}
    </Paper>
  );
}
