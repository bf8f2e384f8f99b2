import { Group, SimpleGrid, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor, actorCsv } from "../../components/actor.tsx";
import { ArchivedNote } from "../../components/archived_note.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { Money, Points, Share } from "../../components/figures.tsx";
import { ChoiceFilter, DayFilter, FilterBar } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { MemberLink, memberCsv, OrderLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { Time } from "../../components/time.tsx";
import { type BillType, billTypes } from "../../store/enumerations.ts";
import { useAdmin } from "../../store/store.tsx";
import { ActionsOf } from "../actions/action_list.tsx";
import { useOrderColumns } from "../orders/order_columns.tsx";
import { useBillColumns } from "./bill_columns.tsx";
import { LevelBadge, MemberLevelBadge, useLevelName, useMemberLevelCsv } from "./level_badge.tsx";
import { Tag } from "../../components/tag.tsx";

const kept = { placeholderData: keepPreviousData };
const billFilters = ["type", "from", "to"] as const;

/** The bill of a member: each change of a balance, and the balance after it. */
export function MemberBill({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const state = useListState();
  const days = useStoreDays(state.get("from"), state.get("to"));
  const columns = useBillColumns();
  const source = {
    path: "/adminapi/user/{uid}/bill",
    params: {
      path: { uid },
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("type") && { type: state.get("type") as BillType }),
        ...days,
      },
    },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { ...kept, enabled: days !== undefined });
  return (
    <Stack>
      <FilterBar state={state} names={billFilters}>
        <ChoiceFilter
          state={state}
          name="type"
          label={t("bill.type")}
          width={220}
          choices={billTypes.map((type) => ({ value: type, label: t(`words:billType.${type}`) }))}
        />
        <DayFilter state={state} name="from" label={t("bill.from")} />
        <DayFilter state={state} name="to" label={t("bill.to")} />
      </FilterBar>
      <ArchivedNote until={result.data?.archived_until} />
      <DataTable
        name="bill"
        label={t("tabs.bill")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("bill.empty")}
      />
    </Stack>
  );
}

/** The places of a member in all cycles. */
export function MemberPlaces({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const state = useListState();
  const source = {
    path: "/adminapi/user/{uid}/place",
    params: { path: { uid }, query: { page: state.page, limit: defaultPageSize } },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, kept);
  const columns = useMemo<Column<Admin["Place"]>[]>(
    () => [
      { id: "cycle", title: t("words:cycle"), align: "right", cell: ({ cycle_no }) => cycle_no, csv: ({ cycle_no }) => cycle_no },
      { id: "place", title: t("words:place"), align: "right", cell: ({ place }) => place, csv: ({ place }) => place },
      {
        id: "order",
        title: t("words:order"),
        cell: ({ order_id }) => (order_id === null ? t("changes.imported") : <OrderLink id={order_id} />),
        csv: ({ order_id }) => order_id ?? t("changes.imported"),
      },
      {
        id: "member",
        title: t("words:member"),
        cell: ({ uid: buyer, nickname }) => <MemberLink uid={buyer} nickname={nickname} />,
        csv: ({ uid: buyer, nickname }) => memberCsv(buyer, nickname),
      },
      { id: "base", title: t("words:base"), align: "right", cell: ({ base }) => <Money value={base} />, csv: ({ base }) => base },
      { id: "ratio", title: t("words:ratio"), align: "right", cell: ({ ratio }) => <Share value={ratio} />, csv: ({ ratio }) => ratio },
      {
        id: "settled",
        title: t("places.settled"),
        align: "right",
        cell: ({ commission_at_settlement }) => <Money value={commission_at_settlement} />,
        csv: ({ commission_at_settlement }) => commission_at_settlement,
      },
      {
        id: "commission",
        title: t("places.left"),
        align: "right",
        cell: ({ commission }) => <Money value={commission} />,
        csv: ({ commission }) => commission,
      },
      {
        id: "points",
        title: t("places.pointsLeft"),
        align: "right",
        cell: ({ commission_points }) => <Points value={commission_points} />,
        csv: ({ commission_points }) => commission_points,
      },
      {
        id: "plan",
        title: t("words:planVersion"),
        align: "right",
        cell: ({ cycle_plan_version }) => cycle_plan_version,
        csv: ({ cycle_plan_version }) => cycle_plan_version,
      },
      { id: "time", title: t("words:time"), cell: ({ settled_at }) => <Time value={settled_at} />, csv: ({ settled_at }) => settled_at },
    ],
    [t],
  );
  return (
    <DataTable
      name="places"
      label={t("tabs.places")}
      columns={columns}
      rowId={({ cycle_no, place }) => `${cycle_no}/${place}`}
      result={result}
      state={state}
      source={source}
      empty={t("places.empty")}
    />
  );
}

/** The direct members of a member. */
export function DirectMembers({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const state = useListState();
  const levelCsv = useMemberLevelCsv();
  const source = { path: "/adminapi/user", params: { query: { spread_uid: uid, page: state.page, limit: defaultPageSize } } } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, kept);
  const columns = useMemo<Column<Admin["Member"]>[]>(
    () => [
      {
        id: "member",
        title: t("words:member"),
        cell: (member) => <MemberLink uid={member.uid} nickname={member.nickname} />,
        csv: (member) => memberCsv(member.uid, member.nickname),
      },
      { id: "level", title: t("words:level"), cell: (member) => <MemberLevelBadge member={member} />, csv: levelCsv },
      {
        id: "frozen",
        title: t("words:frozenPoints"),
        align: "right",
        cell: ({ frozen_points }) => <Points value={frozen_points} />,
        csv: ({ frozen_points }) => frozen_points,
      },
      {
        id: "brokerage",
        title: t("words:brokerage"),
        align: "right",
        cell: ({ brokerage_price }) => <Money value={brokerage_price} />,
        csv: ({ brokerage_price }) => brokerage_price,
      },
      { id: "joined", title: t("words:joined"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
    ],
    [t, levelCsv],
  );
  return (
    <DataTable
      name="direct members"
      label={t("tabs.direct")}
      columns={columns}
      rowId={(member) => member.uid}
      result={result}
      state={state}
      source={source}
      empty={t("direct.empty")}
    />
  );
}

/** The upline of a member, the referrer first. */
export function MemberUpline({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const state = useListState();
  const { of: levelName } = useLevelName();
  const source = {
    path: "/adminapi/user/{uid}/upline",
    params: { path: { uid }, query: { page: state.page, limit: defaultPageSize } },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, kept);
  const columns = useMemo<Column<Admin["UplineMember"]>[]>(
    () => [
      { id: "depth", title: t("chain.depth"), align: "right", cell: ({ depth }) => depth, csv: ({ depth }) => depth },
      {
        id: "member",
        title: t("words:member"),
        cell: (member) => <MemberLink uid={member.uid} nickname={member.nickname} />,
        csv: (member) => memberCsv(member.uid, member.nickname),
      },
      {
        id: "level",
        title: t("words:level"),
        cell: ({ agent_level }) => <LevelBadge grade={agent_level} />,
        csv: ({ agent_level }) => levelName(agent_level),
      },
      {
        id: "flag",
        title: t("assessment"),
        cell: ({ no_assess }) => (no_assess ? <Tag color="orange">{t("words:noAssess")}</Tag> : t("assessed")),
        csv: ({ no_assess }) => t(no_assess ? "words:noAssess" : "assessed"),
      },
    ],
    [t, levelName],
  );
  return (
    <DataTable
      name="referral chain"
      label={t("tabs.chain")}
      columns={columns}
      rowId={({ depth }) => depth}
      result={result}
      state={state}
      source={source}
      empty={t("chain.empty")}
    />
  );
}

/** The orders of a member, newest first. */
export function MemberOrders({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const state = useListState();
  const source = { path: "/adminapi/order", params: { query: { uid, page: state.page, limit: defaultPageSize } } } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, kept);
  const columns = useOrderColumns(false);
  return (
    <DataTable
      name="orders of a member"
      label={t("tabs.orders")}
      columns={columns}
      rowId={({ id }) => id}
      result={result}
      state={state}
      source={source}
      empty={t("orders.empty")}
    />
  );
}

type LevelChange = Admin["LevelChange"];

/** The grade before and after (one value if only the hold changed), and whether the hold was set or released. */
function LevelChanged({ change: { from_level, to_level, from_hold, to_hold } }: { change: LevelChange }) {
  const { t } = useTranslation("members");
  return (
    <Group gap={6}>
      {from_level !== to_level && (
        <>
          <LevelBadge grade={from_level} />→
        </>
      )}
      <LevelBadge grade={to_level} />
      {from_hold !== to_hold && <Tag color="orange">{t(to_hold ? "changes.holdBegun" : "changes.holdEnded")}</Tag>}
    </Group>
  );
}

/** The changes of a member's level and assessment, and the administrative actions on the member. */
export function MemberChanges({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const admin = useAdmin();
  const { of: levelName } = useLevelName();
  // The last hundred changes. More are rare.
  const init = { params: { path: { uid }, query: { limit: 100 } } };
  const levels = admin.useQuery("get", "/adminapi/user/{uid}/level_change", init);
  const flags = admin.useQuery("get", "/adminapi/user/{uid}/no_assess_change", init);
  const levelColumns = useMemo<Column<LevelChange>[]>(() => {
    const levelChangeCsv = ({ from_level, to_level, from_hold, to_hold }: LevelChange) =>
      [
        [...new Set([from_level, to_level])].map(levelName).join(" → "),
        from_hold !== to_hold && t(to_hold ? "changes.holdBegun" : "changes.holdEnded"),
      ]
        .filter(Boolean)
        .join(", ");
    return [
      { id: "time", title: t("words:time"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      { id: "change", title: t("words:level"), cell: (change) => <LevelChanged change={change} />, csv: levelChangeCsv },
      {
        id: "reason",
        title: t("words:reason"),
        cell: ({ reason, order_id }) => (
          <Group gap={6}>
            {t(`changes.${reason}`)}
            {order_id ? <OrderLink id={order_id} /> : null}
          </Group>
        ),
        csv: ({ reason, order_id }) => `${t(`changes.${reason}`)} ${order_id ?? ""}`.trim(),
      },
      {
        id: "by",
        title: t("words:changedBy"),
        cell: ({ changed_by }) => <Actor actor={changed_by} />,
        csv: ({ changed_by }) => actorCsv(changed_by),
      },
    ];
  }, [t, levelName]);
  const flagColumns = useMemo<Column<Admin["NoAssessChange"]>[]>(
    () => [
      { id: "time", title: t("words:time"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      {
        id: "change",
        title: t("changes.noAssess"),
        cell: ({ to_value }) => t(to_value ? "words:noAssess" : "assessed"),
        csv: ({ to_value }) => t(to_value ? "words:noAssess" : "assessed"),
      },
      {
        id: "by",
        title: t("words:changedBy"),
        cell: ({ changed_by }) => <Actor actor={changed_by} />,
        csv: ({ changed_by }) => actorCsv(changed_by),
      },
    ],
    [t],
  );
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title={t("changes.level")}>
          <DataTable
            name="level changes"
            label={t("changes.level")}
            columns={levelColumns}
            rowId={({ id }) => id}
            result={levels}
            empty={t("changes.emptyLevel")}
          />
        </Section>
        <Section title={t("changes.noAssess")}>
          <DataTable
            name="assessment changes"
            label={t("changes.noAssess")}
            columns={flagColumns}
            rowId={({ id }) => id}
            result={flags}
            empty={t("changes.emptyFlag")}
          />
        </Section>
      </SimpleGrid>
      <ActionsOf type="member" id={uid} />
    </Stack>
  );
}
