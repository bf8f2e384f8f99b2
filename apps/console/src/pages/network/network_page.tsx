import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count, formatCount, Share } from "../../components/figures.tsx";
import { MemberLink, OrderLink } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { PrintButton } from "../../components/print_button.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Tiles } from "../../components/tiles.tsx";
import { useFormatTime } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { useAdmin } from "../../store/store.ts";
import { MarkedMember } from "../members/marked_member.tsx";
import { LevelBadge, useLevelName } from "../members/level_badge.tsx";
import { useReachWords } from "../plans/reach_note.tsx";
import { DepthChart, DepthTable } from "./depth_table.tsx";
import { NetworkChange } from "./network_change.tsx";
import { Thresholds } from "./thresholds.tsx";

type Network = Admin["Network"];

const column = columnsOf<Admin["NetworkMember"]>();

function Size({ network: { referrers, depth, people, from_depth, above, presets } }: { network: Network }) {
  const { t } = useTranslation("network");
  const nameOf = (atLeast: { people: number; depth: number }) =>
    atLeast.people === 1
      ? t("size.aboveDepth", { depth: formatCount(atLeast.depth) })
      : t("size.above", { people: formatCount(atLeast.people), depth: formatCount(atLeast.depth) });
  // The thresholds may be those of a preset.
  const counts = new Map(
    [...presets, { people, depth: from_depth, members: above }].map((limit) => [nameOf(limit), limit.members]),
  );
  return (
    <Section title={t("size.title")} about={t("counting")}>
      <Tiles
        tiles={[
          { name: t("size.referrers"), figure: <Count value={referrers} /> },
          { name: t("size.depth"), figure: <Count value={depth} /> },
          ...[...counts].map(([name, members]) => ({ name, figure: <Count value={members} /> })),
        ]}
      />
    </Section>
  );
}

function Deepest({ paid }: { paid: Admin["NetworkPaid"]["deepest"]["points"] }) {
  const { t } = useTranslation("network");
  if (!paid) return t("paid.never");
  return (
    <>
      <Count value={paid.depth} />{" "}
      <Text span size="sm" fw={400}>
        {t("paid.to")} <MemberLink uid={paid.uid} nickname={paid.nickname} inText /> {t("paid.order")}{" "}
        <OrderLink id={paid.order_id} />
      </Text>
    </>
  );
}

function PaidByDepth({ paid: { deepest, days, depths } }: { paid: Admin["NetworkPaid"] }) {
  const { t } = useTranslation("network");
  return (
    <>
      <Section title={t("paid.title")} about={t("paid.about", { days })}>
        <Stack gap="sm">
          <DescriptionList
            items={[
              [t("paid.deepestCommission"), <Deepest key="commission" paid={deepest.commission} />],
              [t("paid.deepestPoints"), <Deepest key="points" paid={deepest.points} />],
            ]}
          />
          {depths.length === 0 ? (
            <Text size="sm">{t("paid.empty")}</Text>
          ) : (
            <DepthTable label={t("paid.title")} depths={depths} />
          )}
          {depths.some(({ depth }) => depth === null) && <Text size="sm">{t("elsewhereHint")}</Text>}
        </Stack>
      </Section>
      {depths.length > 0 && <DepthChart title={t("paid.chart")} depths={depths} />}
    </>
  );
}

/** Read on its own, because it takes longer than the rest of a large store. */
function Paid() {
  const result = useAdmin("/adminapi/network/paid");
  return <QueryResult of={result}>{(paid) => <PaidByDepth paid={paid} />}</QueryResult>;
}

function Plan({ plan }: { plan: Network["plan"] }) {
  const { t } = useTranslation(["network", "plans"]);
  const { depth, deeper } = useReachWords();
  return (
    <Section title={t("plan.title")} about={t("plan.about")}>
      <Stack gap="sm">
        <DescriptionList
          items={[
            [t("plan.version"), plan.version],
            [t("plan.commission"), depth(plan.commission)],
            [t("plan.points"), depth(plan.points)],
            [t("plan.cap"), <Share key="cap" value={plan.payout_cap} />],
            [t("plans:scope"), t(`plans:scopes.${plan.brokerage_scope}`)],
          ]}
        />
        {plan.is_deeper && <Text size="sm">{deeper(plan)}</Text>}
        <Anchor component={Link} to="/plan" size="sm" className="not-printed">
          {t("plan.open")}
        </Anchor>
      </Stack>
    </Section>
  );
}

function Eligibility({ eligibility: { earners, with_one_order, share } }: { eligibility: Network["eligibility"] }) {
  const { t } = useTranslation("network");
  return (
    <Section title={t("eligibility.title")} about={t("eligibility.about")}>
      <DescriptionList
        items={[
          [t("eligibility.earners"), <Count key="earners" value={earners} />],
          [t("eligibility.once"), <Count key="once" value={with_one_order} />],
          [t("eligibility.share"), <Share key="share" value={share} />],
        ]}
      />
    </Section>
  );
}

/** The shape of the network: facts, and what another plan would change. */
export function Component() {
  const { t } = useTranslation(["network", "words"]);
  const format = useFormatTime();
  const { of: levelName } = useLevelName();
  const list = useList("/adminapi/network/member", { filters: { people: "number", depth: "number" }, isSorted: true });
  const { people, depth } = list.source.params.query as { people?: number; depth?: number };
  const result = useAdmin(
    "/adminapi/network",
    { params: { query: { ...(people && { people }), ...(depth && { depth }) } } },
    { placeholderData: keepPreviousData },
  );
  const columns = [
    column.member("uid", t("words:member"), { cell: (member) => <MarkedMember member={member} /> }),
    column.custom({
      id: "level",
      title: t("words:level"),
      cell: ({ agent_level }) => <LevelBadge grade={agent_level} />,
      csv: ({ agent_level }) => levelName(agent_level),
    }),
    column.count("people", t("people"), { sort: true }),
    column.count("direct_members", t("direct"), { sort: true }),
    column.count("depth", t("depth"), { sort: true }),
    column.money("total_brokerage", t("members.total")),
  ];
  return (
    <Page title={t("title")} about={t("about")} actions={<PrintButton />}>
      <Alert color="gray" role="note">
        {t("factsOnly")}
      </Alert>
      <Thresholds of={list} presets={result.data?.presets ?? []} />
      <QueryResult of={result} lines={10}>
        {(network) => (
          <Stack aria-busy={result.isPlaceholderData}>
            <Text size="sm" c="dimmed">
              {t("asOf", { time: format(network.as_of) })}
            </Text>
            <Size network={network} />
            <Plan plan={network.plan} />
            <Eligibility eligibility={network.eligibility} />
          </Stack>
        )}
      </QueryResult>
      <Paid />
      <Section title={t("members.title")}>
        <DataTable
          name="network members"
          label={t("members.title")}
          columns={columns}
          rowId={({ uid }) => uid}
          list={list}
          empty={t("members.nobody")}
        />
      </Section>
      <NetworkChange />
    </Page>
  );
}
