import { Button, SimpleGrid, Tabs, Text } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { NotFoundPage } from "../../app/not_found_page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { DayFilter, FilterBar } from "../../components/filter_bar.tsx";
import { Money, Points } from "../../components/figures.tsx";
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
import { CommissionCycle, LevelAndCycle } from "./level_and_cycle.tsx";
import { MemberLevelBadge } from "./level_badge.tsx";
import { DirectMembers, MemberBill, MemberChanges, MemberOrders, MemberPlaces, MemberUpline } from "./member_tabs.tsx";
import { NoAssessSwitch } from "./no_assess_switch.tsx";
import { MemberTax, useHasTax } from "./member_tax.tsx";
import { SetLevelButton } from "./set_level_button.tsx";
import { SetReferrerButton } from "./set_referrer_button.tsx";
import { MemberStatement } from "./statement.tsx";
import { Team } from "./team.tsx";

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
      <Accounts
        accounts={member.accounts}
        uid={member.uid}
        belowPoints={!member.left_at && <Forecast uid={member.uid} />}
      />
      <Profile member={member} />
      <SimpleGrid cols={{ base: 1, lg: member.left_at ? 1 : 2 }} spacing="sm">
        {!member.left_at && <LevelAndCycle member={member} />}
        {member.team && <Team member={member} team={member.team} />}
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
