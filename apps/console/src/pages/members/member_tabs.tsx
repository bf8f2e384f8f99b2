import { Group, SimpleGrid, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { OrderLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { storedText } from "../../components/stored_reason.ts";
import { billTypes } from "../../store/enumerations.ts";
import { useAdmin } from "../../store/store.ts";
import { ActionsOf } from "../actions/action_list.tsx";
import { useOrderColumns } from "../orders/order_columns.tsx";
import { useBillColumns } from "./bill_columns.tsx";
import { MarkedMember } from "./marked_member.tsx";
import { LevelBadge, MemberLevelBadge, useLevelName, useMemberLevelCsv } from "./level_badge.tsx";
import { Tag } from "../../components/tag.tsx";
import { useList } from "../../components/use_list.ts";

const place = columnsOf<Admin["Place"]>();
const directMember = columnsOf<Admin["Member"]>();
const uplineMember = columnsOf<Admin["UplineMember"]>();
const levelChange = columnsOf<LevelChange>();
const noAssessChange = columnsOf<Admin["NoAssessChange"]>();
const referrerChange = columnsOf<Admin["ReferrerChange"]>();

/** The bill of a member: each change of a balance, and the balance after it. */
export function MemberBill({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const columns = useBillColumns();
  const list = useList("/adminapi/user/{uid}/bill", {
    filters: { type: "text", from: "day", to: "day" },
    params: { path: { uid } },
  });
  return (
    <Stack>
      <FilterBar of={list}>
        <ChoiceFilter
          name="type"
          label={t("bill.type")}
          width={220}
          choices={billTypes.map((type) => ({ value: type, label: t(`words:billType.${type}`) }))}
        />
        <DayRangeFilter label={t("bill.days")} />
      </FilterBar>
      <DataTable
        name="bill"
        label={t("tabs.bill")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("bill.empty")}
      />
    </Stack>
  );
}

/** The places of a member in all cycles. */
export function MemberPlaces({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const list = useList("/adminapi/user/{uid}/place", { params: { path: { uid } } });
  const columns = [
    place.number("cycle_no", t("words:cycle")),
    place.number("place", t("words:place")),
    place.custom({
      id: "order",
      title: t("words:order"),
      opens: true,
      cell: ({ order_id }) => (order_id === null ? t("changes.imported") : <OrderLink id={order_id} />),
      csv: ({ order_id }) => order_id ?? t("changes.imported"),
    }),
    place.member("uid", t("words:member")),
    place.money("base", t("words:base")),
    place.share("ratio", t("words:rate")),
    place.money("commission_at_settlement", t("places.settled")),
    place.money("commission", t("places.left")),
    place.points("commission_points", t("places.pointsLeft")),
    place.number("cycle_plan_version", t("words:planVersion")),
    place.time("settled_at", t("words:time")),
  ];
  return (
    <DataTable
      name="places"
      label={t("tabs.places")}
      columns={columns}
      rowId={({ cycle_no, place }) => `${cycle_no}/${place}`}
      list={list}
      empty={t("places.empty")}
    />
  );
}

/** The direct members of a member. */
export function DirectMembers({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const levelCsv = useMemberLevelCsv();
  const list = useList("/adminapi/user", { params: { query: { spread_uid: uid } } });
  const columns = [
    directMember.member("uid", t("words:member"), { cell: (member) => <MarkedMember member={member} /> }),
    directMember.custom({
      id: "level",
      title: t("words:level"),
      cell: (member) => <MemberLevelBadge member={member} />,
      csv: levelCsv,
    }),
    directMember.points("frozen_points", t("words:frozenPoints")),
    directMember.money("brokerage_price", t("words:brokerage")),
    directMember.time("add_time", t("words:joined")),
    directMember.time("left_at", t("words:leftAt"), { isFileOnly: true }),
  ];
  return (
    <DataTable
      name="direct members"
      label={t("tabs.direct")}
      columns={columns}
      rowId={(member) => member.uid}
      list={list}
      empty={t("direct.empty")}
    />
  );
}

/** The upline of a member, the referrer first. */
export function MemberUpline({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const { of: levelName } = useLevelName();
  const list = useList("/adminapi/user/{uid}/upline", { params: { path: { uid } } });
  const columns = [
    uplineMember.number("depth", t("chain.depth")),
    uplineMember.member("uid", t("words:member"), { opens: true, cell: (member) => <MarkedMember member={member} /> }),
    uplineMember.custom({
      id: "level",
      title: t("words:level"),
      cell: ({ agent_level }) => <LevelBadge grade={agent_level} />,
      csv: ({ agent_level }) => levelName(agent_level),
    }),
    uplineMember.custom({
      id: "flag",
      title: t("assessment"),
      cell: ({ no_assess }) => (no_assess ? <Tag color="orange">{t("words:noAssess")}</Tag> : t("assessed")),
      csv: ({ no_assess }) => t(no_assess ? "words:noAssess" : "assessed"),
    }),
    uplineMember.time("left_at", t("words:leftAt"), { isFileOnly: true }),
  ];
  return (
    <DataTable
      name="referral chain"
      label={t("tabs.chain")}
      columns={columns}
      rowId={({ depth }) => depth}
      list={list}
      empty={t("chain.empty")}
    />
  );
}

/** The orders of a member. */
export function MemberOrders({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const list = useList("/adminapi/order", { params: { query: { uid } }, isSorted: true });
  const columns = useOrderColumns(false);
  return (
    <DataTable
      name="orders of a member"
      label={t("tabs.orders")}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
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
  const { of: levelName } = useLevelName();
  // The last hundred changes. More are rare.
  const init = { params: { path: { uid }, query: { limit: 100 } } };
  const levels = useAdmin("/adminapi/user/{uid}/level_change", init);
  const flags = useAdmin("/adminapi/user/{uid}/no_assess_change", init);
  const referrers = useAdmin("/adminapi/user/{uid}/spread_change", init);
  const levelColumns = [
    levelChange.time("add_time", t("words:time")),
    levelChange.custom({
      id: "change",
      title: t("words:level"),
      cell: (change) => <LevelChanged change={change} />,
      csv: ({ from_level, to_level, from_hold, to_hold }) =>
        [
          [...new Set([from_level, to_level])].map(levelName).join(" → "),
          from_hold !== to_hold && t(to_hold ? "changes.holdBegun" : "changes.holdEnded"),
        ]
          .filter(Boolean)
          .join(", "),
    }),
    levelChange.custom({
      id: "reason",
      title: t("words:reason"),
      cell: ({ reason, cause, order_id }) => (
        <Group gap={6}>
          {t(cause ? `changes.cause.${cause}` : `changes.${reason}`)}
          {order_id ? <OrderLink id={order_id} /> : null}
        </Group>
      ),
      csv: ({ reason, cause, order_id }) =>
        `${t(cause ? `changes.cause.${cause}` : `changes.${reason}`)} ${order_id ?? ""}`.trim(),
    }),
    levelChange.actor("changed_by", t("words:changedBy")),
  ];
  const flagColumns = [
    noAssessChange.time("add_time", t("words:time")),
    noAssessChange.words("change", t("changes.noAssess"), ({ to_value }) =>
      t(to_value ? "words:noAssess" : "assessed"),
    ),
    noAssessChange.actor("changed_by", t("words:changedBy")),
  ];
  const referrerColumns = [
    referrerChange.time("add_time", t("words:time")),
    referrerChange.member("from_uid", t("changes.fromReferrer"), { name: "from_nickname" }),
    referrerChange.member("to_uid", t("changes.toReferrer"), { name: "to_nickname" }),
    referrerChange.words("reason", t("words:reason"), ({ reason }) => storedText(reason)),
    referrerChange.actor("changed_by", t("words:changedBy")),
  ];
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title={t("changes.level")}>
          <DataTable
            name="level changes"
            label={t("changes.level")}
            columns={levelColumns}
            rowId={({ id }) => id}
            list={{ result: levels }}
            empty={t("changes.emptyLevel")}
          />
        </Section>
        <Section title={t("changes.noAssess")}>
          <DataTable
            name="assessment changes"
            label={t("changes.noAssess")}
            columns={flagColumns}
            rowId={({ id }) => id}
            list={{ result: flags }}
            empty={t("changes.emptyFlag")}
          />
        </Section>
      </SimpleGrid>
      {referrers.data && referrers.data.count > 0 && (
        <Section title={t("changes.referrer")}>
          <DataTable
            name="referrer changes"
            label={t("changes.referrer")}
            columns={referrerColumns}
            rowId={({ id }) => id}
            list={{ result: referrers }}
            empty={t("changes.emptyFlag")}
          />
        </Section>
      )}
      <ActionsOf type="member" id={uid} />
    </Stack>
  );
}
