import { Badge, Button, Group, Progress, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { NotFoundPage } from "../../app/not_found_page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { DayFilter, FilterBar } from "../../components/filter_bar.tsx";
import { Count, Money, Points, Share } from "../../components/figures.tsx";
import { MemberLink } from "../../components/links.tsx";
import { useListState } from "../../components/list_state.ts";
import { useIdOfPage } from "../../components/ids.ts";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { Time, useFormatTime } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { MemberNetwork } from "../network/member_network.tsx";
import { RealNameSection } from "../real_names/real_name_section.tsx";
import { Accounts } from "./accounts.tsx";
import { CountAudit } from "./count_audit.tsx";
import { Doubts } from "./doubts.tsx";
import { ExportMemberButton } from "./export_member_button.tsx";
import { Forecast } from "./forecast.tsx";
import { Leaving } from "./leaving.tsx";
import { MemberLevelBadge, useLevelName } from "./level_badge.tsx";
import { DirectMembers, MemberBill, MemberChanges, MemberOrders, MemberPlaces, MemberUpline } from "./member_tabs.tsx";
import { NoAssessSwitch } from "./no_assess_switch.tsx";
import { MemberTax, useHasTax } from "./member_tax.tsx";
import { SetLevelButton } from "./set_level_button.tsx";
import { SetReferrerButton } from "./set_referrer_button.tsx";
import { MemberStatement } from "./statement.tsx";
import { Tag } from "../../components/tag.tsx";

type MemberPage = Admin["MemberPage"];

function Profile({ member }: { member: MemberPage }) {
  const { t } = useTranslation(["words", "common"]);
  const assessment =
    member.as_of === null ? (
      <NoAssessSwitch key="flag" member={member} />
    ) : (
      t(member.no_assess ? "common:yes" : "common:no")
    );
  return (
    <Section title={t("member")}>
      <DescriptionList
        items={[
          [t("level"), <MemberLevelBadge key="level" member={member} />],
          [
            t("referrer"),
            <MemberLink key="referrer" uid={member.referrer?.uid} nickname={member.referrer?.nickname ?? null} />,
          ],
          [t("phone"), member.phone ?? "–"],
          [t("joined"), <Time key="joined" value={member.add_time} />],
          [t("noAssess"), assessment],
          [t("frozenPoints"), <Points key="frozen" value={member.frozen_points} />],
          [t("availablePoints"), <Points key="available" value={member.available_points} />],
          [t("totalPoints"), <Points key="total" value={member.total_points_earned} />],
          [t("brokerage"), <Money key="money" value={member.brokerage_price} />],
        ]}
      />
    </Section>
  );
}

function CommissionCycle({ progress }: { progress: Admin["BrokerageProgress"] }) {
  const { t } = useTranslation(["members", "words"]);
  const {
    cycle_no,
    cycle_current,
    people_per_cycle,
    tier_ratios,
    next_ratio,
    total_brokerage,
    total_places,
    eligible,
    plan_version,
  } = progress;
  const label = t("progress.cycle", { cycle: cycle_no, taken: cycle_current, all: people_per_cycle });
  return (
    <Section
      title={t("progress.title")}
      actions={
        <Tag color={eligible ? "green" : "gray"}>{t(eligible ? "progress.eligible" : "progress.notEligible")}</Tag>
      }
    >
      <Stack gap="sm">
        <Text size="sm">{label}</Text>
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
            [t("words:planVersion"), plan_version],
          ]}
        />
      </Stack>
    </Section>
  );
}

function NextLevel({ next, isHeld }: { next: MemberPage["next_level"]; isHeld: boolean }) {
  const { t } = useTranslation(["members", "words"]);
  const { of } = useLevelName();
  if (!next)
    return (
      <Section title={t("words:level")}>
        <Text c="dimmed">{t("next.top")}</Text>
      </Section>
    );
  return (
    <Section title={t("next.title", { level: of(next.agent_level) })}>
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
    </Section>
  );
}

function Team({ team: { direct, umbrella, as_of } }: { team: NonNullable<MemberPage["team"]> }) {
  const { t } = useTranslation("members");
  return (
    <Section title={t("team.title")}>
      <DescriptionList
        items={[
          [t("team.directMembers"), <Count key="direct members" value={direct.members} />],
          [t("team.directOrders"), <Count key="direct orders" value={direct.orders} />],
          [t("team.members"), <Count key="members" value={umbrella.members} />],
          [t("team.orders"), <Count key="orders" value={umbrella.orders} />],
          [t("team.asOf"), <Time key="as of" value={as_of} />],
        ]}
      />
    </Section>
  );
}

const tabs = [
  "bill",
  "statement",
  "tax",
  "orders",
  "places",
  "direct",
  "chain",
  "network",
  "changes",
  "audit",
] as const;
type Tab = (typeof tabs)[number];

/** @param box what a page scrolls to */
function Details({ uid, box }: { uid: number; box: RefObject<HTMLDivElement | null> }) {
  const { t } = useTranslation("members");
  const [parameters, setParameters] = useSearchParams();
  // A link that names a tab leads to it. Much stands above it, above all in a narrow window.
  const isNamed = useRef(parameters.has("tab"));
  useEffect(() => {
    if (isNamed.current) box.current?.scrollIntoView();
  }, [box]);
  const hasTax = useHasTax(uid);
  const shown = tabs.filter((name) => name !== "tax" || hasTax);
  const tab = shown.find((name) => name === parameters.get("tab")) ?? "bill";
  const content: Record<Tab, React.ReactNode> = {
    bill: <MemberBill uid={uid} />,
    statement: <MemberStatement uid={uid} />,
    tax: <MemberTax uid={uid} />,
    orders: <MemberOrders uid={uid} />,
    places: <MemberPlaces uid={uid} />,
    direct: <DirectMembers uid={uid} />,
    chain: <MemberUpline uid={uid} />,
    network: <MemberNetwork uid={uid} />,
    changes: <MemberChanges uid={uid} />,
    audit: <CountAudit uid={uid} />,
  };
  return (
    // Filters and page apply to one tab only.
    <Tabs
      ref={box}
      // High enough to be led to before its rows have arrived: what is below the scroll-padding of the page
      // (app/styles.css). Higher, the head of a short list would lie behind the header at the end of the page.
      mih={isNamed.current ? "calc(100dvh - 7rem)" : undefined}
      value={tab}
      onChange={(name) => setParameters(name && name !== "bill" ? { tab: name } : {}, { replace: true })}
      keepMounted={false}
    >
      <Tabs.List aria-label={t("tabs.label")} mb="md">
        {shown.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {content[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

export function Component() {
  const uid = useIdOfPage("uid");
  return uid === undefined ? <NotFoundPage /> : <MemberPage uid={uid} />;
}

/** The member at a past instant. What can be done, and lists, are of now and left out. */
function Past({ member, asOf }: { member: MemberPage; asOf: string }) {
  const { t } = useTranslation("members");
  const format = useFormatTime();
  return (
    <>
      <Text size="sm" role="note">
        {t("past.note", { time: format(asOf) })} {member.left_at && t("left.past", { time: format(member.left_at) })}
      </Text>
      <Profile member={member} />
      {!member.left_at && <CommissionCycle progress={member.progress} />}
      <Accounts accounts={member.accounts} />
    </>
  );
}

/** The member as they are now. Who has left earns nothing and does not rise, and nothing is released to them. */
function Present({ member, box }: { member: MemberPage; box: RefObject<HTMLDivElement | null> }) {
  return (
    <>
      <Leaving member={member} />
      <Doubts member={member} />
      <Accounts accounts={member.accounts} uid={member.uid} />
      <Profile member={member} />
      <SimpleGrid cols={{ base: 1, md: 2, xl: 4 }} spacing="sm">
        {!member.left_at && (
          <>
            <CommissionCycle progress={member.progress} />
            <NextLevel next={member.next_level} isHeld={member.level_is_held} />
          </>
        )}
        {member.team && <Team team={member.team} />}
        {!member.left_at && <Forecast uid={member.uid} />}
      </SimpleGrid>
      <RealNameSection uid={member.uid} isAsked={!member.left_at} />
      <Details uid={member.uid} box={box} />
    </>
  );
}

function MemberPage({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const state = useListState();
  const until = useStoreDays("", state.get("until"))?.to;
  const result = useAdmin("/adminapi/user/{uid}", {
    params: { path: { uid }, query: until === undefined ? {} : { as_of: until } },
  });
  const member = result.data;
  const details = useRef<HTMLDivElement>(null);
  return (
    <Page
      key={uid}
      title={member ? t("memberTitle", { nickname: member.nickname, uid }) : String(uid)}
      back={{ to: "/users", label: t("back") }}
      actions={
        member?.as_of === null && (
          <>
            <Button hiddenFrom="sm" variant="light" onClick={() => details.current?.scrollIntoView()}>
              {t("tabs.jump")}
            </Button>
            <ExportMemberButton uid={uid} />
            {!member.left_at && (
              <>
                <SetLevelButton member={member} />
                <SetReferrerButton member={member} />
              </>
            )}
          </>
        )
      }
    >
      <FilterBar of={{ state, names: ["until"] }} isForm>
        <DayFilter name="until" label={t("past.until")} />
      </FilterBar>
      <QueryResult of={result} lines={8}>
        {(shown) =>
          shown.as_of === null ? <Present member={shown} box={details} /> : <Past member={shown} asOf={shown.as_of} />
        }
      </QueryResult>
    </Page>
  );
}
