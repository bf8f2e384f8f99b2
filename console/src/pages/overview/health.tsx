import { Anchor, Group, Paper, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { formatCount, formatPoints } from "../../components/figures.tsx";
import { Day, Time } from "../../components/time.tsx";
import { Tag } from "../../components/tag.tsx";

function Tile({ title, to, badge, children }: { title: string; to: string; badge: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb={4}>
        <Anchor component={Link} to={to} fw={600}>{title}</Anchor>
        {badge}
      </Group>
      <Text size="sm" c="dimmed" component="div">{children}</Text>
    </Paper>
  );
}

function State({ good, children }: { good: boolean; children: ReactNode }) {
  return <Tag color={good ? "green" : "red"}>{children}</Tag>;
}

/** Whether everything that runs by itself is well. */
export function Health({ overview: { last_release, jobs, last_reconcile } }: { overview: Admin["Overview"] }) {
  const { t } = useTranslation("overview");
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Tile title={t("lastRelease")} to="/release-log" badge={last_release && <State good={last_release.failures === 0}>{t("failures", { failures: last_release.failures })}</State>}>
        {last_release
          ? <><Day value={last_release.release_date} />: {t("released", { points: formatPoints(last_release.points), users: formatCount(last_release.users) })} {!last_release.finished_at && t("running")}</>
          : t("noRelease")}
      </Tile>
      <Tile title={t("jobs")} to="/jobs" badge={<State good={jobs.dead === 0}>{t("dead", { dead: jobs.dead })}</State>}>{t("waiting", { waiting: jobs.waiting })}</Tile>
      <Tile
        title={t("reconcile")}
        to="/schedule"
        badge={last_reconcile && <State good={last_reconcile.findings === 0}>{last_reconcile.findings === 0 ? t("reconciled") : t("findings", { findings: last_reconcile.findings })}</State>}
      >
        {last_reconcile ? <Time value={last_reconcile.finished_at} /> : t("never")}
      </Tile>
    </SimpleGrid>
  );
}
