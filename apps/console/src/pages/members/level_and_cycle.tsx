import { Badge, Group, Progress, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count, Money, Share } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useLevelName } from "./level_badge.tsx";

type MemberPage = Admin["MemberPage"];
type BrokerageProgress = Admin["BrokerageProgress"];

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </div>
  );
}

function Eligible({ of: { eligible } }: { of: BrokerageProgress }) {
  const { t } = useTranslation("members");
  return <Tag color={eligible ? "green" : "gray"}>{t(eligible ? "progress.eligible" : "progress.notEligible")}</Tag>;
}

/** The places of the present cycle with their ratios, and which of them comes next. */
function Cycle({ progress }: { progress: BrokerageProgress }) {
  const { t } = useTranslation(["members", "words"]);
  const { cycle_no, cycle_current, people_per_cycle, tier_ratios, next_ratio, total_brokerage, total_places } =
    progress;
  return (
    <Stack gap="sm">
      <Text size="sm">{t("progress.cycle", { cycle: cycle_no, taken: cycle_current, all: people_per_cycle })}</Text>
      <Group gap="xs" role="list">
        {tier_ratios.map((ratio, place) => (
          <Badge
            key={place}
            role="listitem"
            variant={place < cycle_current ? "filled" : "default"}
            size="lg"
            radius="sm"
            tt="none"
          >
            <Share value={ratio} />
          </Badge>
        ))}
      </Group>
      <DescriptionList
        items={[
          [t("progress.next"), <Share key="next" value={next_ratio} />],
          [t("progress.places"), <Count key="places" value={total_places} />],
          [t("progress.total"), <Money key="total" value={total_brokerage} />],
          [t("words:planVersion"), progress.plan_version],
        ]}
      />
    </Stack>
  );
}

/** What the next level still needs. */
function NextLevel({ next, isHeld }: { next: MemberPage["next_level"]; isHeld: boolean }) {
  const { t } = useTranslation(["members", "words"]);
  if (!next) return <Text c="dimmed">{t("next.top")}</Text>;
  return (
    <Stack gap="sm">
      {isHeld && <Text size="sm">{t("next.held")}</Text>}
      {next.in_review && <Text size="sm">{t("next.inReview")}</Text>}
      {next.tasks.map(({ type, current, target, met }) => (
        <div key={type}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{t(`words:task.${type}`)}</Text>
            <Text size="sm" className="figures">
              {current} / {target}
              {met && !next.in_review ? ` · ${t("next.met")}` : ""}
            </Text>
          </Group>
          <Progress
            value={Math.min(100, (current / target) * 100)}
            color={met ? "green" : "indigo"}
            aria-label={t(`words:task.${type}`)}
          />
        </div>
      ))}
    </Stack>
  );
}

/** The cycle of a member alone: a past instant has no task counts. */
export function CommissionCycle({ progress }: { progress: BrokerageProgress }) {
  const { t } = useTranslation("members");
  return (
    <Section title={t("progress.title")} actions={<Eligible of={progress} />}>
      <Cycle progress={progress} />
    </Section>
  );
}

/** How a member rises, and what their next place earns. */
export function LevelAndCycle({ member: { next_level, level_is_held, progress } }: { member: MemberPage }) {
  const { t } = useTranslation(["members", "words"]);
  const { of } = useLevelName();
  return (
    <Section title={t("levelAndCycle")} actions={<Eligible of={progress} />}>
      <div className="level-and-cycle">
        <Part title={next_level ? t("next.title", { level: of(next_level.agent_level) }) : t("words:level")}>
          <NextLevel next={next_level} isHeld={level_is_held} />
        </Part>
        <Part title={t("progress.title")}>
          <Cycle progress={progress} />
        </Part>
      </div>
    </Section>
  );
}
