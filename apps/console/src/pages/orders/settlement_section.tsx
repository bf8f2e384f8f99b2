import { Alert, Anchor, List, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { formatMoney, formatPoints, formatShare, Points } from "../../components/figures.tsx";
import { MemberLink, MemberNames, useMemberName } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Time, useFormatTime } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { BillTable } from "../members/bill_table.tsx";
import { LevelBadge, useLevelName } from "../members/level_badge.tsx";
import { Tag } from "../../components/tag.tsx";

type Order = Admin["OrderPage"];
type Settled = Extract<Admin["Settlement"], { state: "settled" | "refunded" | "imported" }>;

/** Who received the commission, with place, ratio and plan, or why nobody did. */
function CycleSentence({ cycle, held }: { cycle: Settled["cycle"]; held: Settled["held_by_refund"] }) {
  const { t } = useTranslation("orders");
  const formatTime = useFormatTime();
  const { earner_uid, reason } = cycle;
  return (
    <>
      {earner_uid ? (
        <Text size="sm">
          <MemberLink uid={earner_uid} inText />{" "}
          {t("settlement.cycle.paid", {
            commission: formatMoney(cycle.commission),
            base: formatMoney(cycle.base),
            rate: formatShare(cycle.rate ?? 0),
            place: cycle.place,
            cycle: cycle.cycle_no,
            version: cycle.cycle_plan_version,
            points: formatPoints(cycle.commission_points),
          })}
        </Text>
      ) : (
        reason && <Text size="sm">{t("settlement.cycle.nobody", { reason: t(`settlement.reason.${reason}`) })}</Text>
      )}
      {held && <Text size="sm">{t("settlement.cycle.held", { amount: formatMoney(held.amount) })}</Text>}
      {cycle.place_freed_at && (
        <Text size="sm">{t("settlement.cycle.freed", { time: formatTime(cycle.place_freed_at) })}</Text>
      )}
    </>
  );
}

/** Which members could have received the commission, and why they did not. */
function Cycle({ cycle: { asked, brokerage_scope } }: { cycle: Settled["cycle"] }) {
  const { t } = useTranslation("orders");
  return (
    <div>
      <Title order={3} mb={4}>
        {t("settlement.cycle.title")}
      </Title>
      <Text size="sm" c="dimmed">
        {t("settlement.cycle.scope")}: {t(`settlement.cycle.${brokerage_scope}`)}
      </Text>
      {asked.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mt={4}>
            {t("settlement.cycle.asked")}
          </Text>
          <List size="sm" type="ordered">
            {asked.map(({ uid, eligible, has_left }) => (
              <List.Item key={uid}>
                <MemberLink uid={uid} inText /> –{" "}
                {t(
                  eligible
                    ? "settlement.cycle.eligible"
                    : has_left
                      ? "settlement.cycle.hadLeft"
                      : "settlement.cycle.notEligible",
                )}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  );
}

type LevelStep = Settled["levels"][number];
const column = columnsOf<LevelStep>();

/** The upline of the buyer: the level of each member and its effect. */
function Levels({ levels }: { levels: LevelStep[] }) {
  const { t } = useTranslation(["orders", "words"]);
  const nameOf = useMemberName();
  const { of: levelName } = useLevelName();
  const reasonOf = ({ reason }: LevelStep) => reason && t(`settlement.levelReason.${reason as "zero_base"}`);
  const columns = [
    column.number("depth", t("settlement.levels.step")),
    column.member("uid", t("words:member"), { name: nameOf }),
    column.custom({
      id: "level",
      title: t("words:level"),
      cell: ({ agent_level }) => <LevelBadge grade={agent_level} />,
      csv: ({ agent_level }) => levelName(agent_level),
    }),
    column.custom({
      id: "of_level",
      title: t("settlement.levels.ofLevel"),
      align: "right",
      cell: ({ depth, direct_points, umbrella_points }) => (
        <Points value={depth === 1 ? direct_points : umbrella_points} />
      ),
      csv: ({ depth, direct_points, umbrella_points }) => (depth === 1 ? direct_points : umbrella_points),
    }),
    column.points("passed_on", t("settlement.levels.passedOn"), {
      cell: ({ depth, passed_on }) => (depth === 1 ? "–" : <Points value={passed_on} />),
      csv: ({ depth, passed_on }) => (depth === 1 ? "" : passed_on),
    }),
    column.points("per_unit", t("settlement.levels.perUnit")),
    column.points("points", t("words:points"), {
      cell: ({ points }) => (
        <Text span size="sm" fw={points > 0 ? 650 : 400}>
          <Points value={points} />
        </Text>
      ),
    }),
    column.custom({
      id: "reason",
      title: t("words:reason"),
      cell: (step) =>
        step.reason && (
          <Text span size="sm" c="dimmed">
            {reasonOf(step)}
          </Text>
        ),
      csv: reasonOf,
    }),
  ];
  return (
    <div>
      <Title order={3} mb={4}>
        {t("settlement.levels.title")}
      </Title>
      <PlainTable
        label={t("settlement.levels.title")}
        columns={columns}
        rows={levels}
        rowId={({ depth }) => depth}
        empty={t("settlement.levels.empty")}
        exportAs="points by level of an order"
        maxHeight={420}
      />
    </div>
  );
}

/** The settlement in two sentences, and below them, folded, all figures to recompute it by hand. */
function SettledOrder({ settlement }: { settlement: Settled }) {
  const { t } = useTranslation(["orders", "members"]);
  const { level_changes, bill, levels, cycle } = settlement;
  const granted = levels.filter(({ points }) => points > 0);
  return (
    <Stack gap="xs">
      <CycleSentence cycle={cycle} held={settlement.held_by_refund} />
      <Text size="sm">
        {t("settlement.pointsSentence", {
          count: granted.length,
          points: formatPoints(granted.reduce((sum, { points }) => sum + points, 0)),
        })}
      </Text>
      <details>
        <summary>{t("settlement.computation")}</summary>
        <Stack mt="sm">
          <Text size="sm" c="dimmed">
            {t("settlement.at")} <Time value={settlement.settled_at} />
          </Text>
          <Cycle cycle={cycle} />
          <Levels levels={levels} />
          {level_changes.length > 0 && (
            <div>
              <Title order={3} mb={4}>
                {t("settlement.changes")}
              </Title>
              {level_changes.map(({ uid, from_level, to_level, cause }) => (
                <Text key={`${uid} ${to_level}`} size="sm" component="div">
                  <MemberLink uid={uid} inText />: <LevelBadge grade={from_level} /> → <LevelBadge grade={to_level} />
                  {cause !== "order" && ` · ${t(`members:changes.cause.${cause}`)}`}
                </Text>
              ))}
            </div>
          )}
          <div>
            <Title order={3} mb={4}>
              {t("settlement.bill")}
            </Title>
            <BillTable
              name="bill of an order"
              label={t("settlement.bill")}
              rows={bill}
              empty={t("settlement.billEmpty")}
            />
          </div>
        </Stack>
      </details>
    </Stack>
  );
}

/** Why there is no settlement, as far as the order shows it. */
function Unsettled({ order }: { order: Order }) {
  const { t } = useTranslation("orders");
  const why = !order.lines.some(({ is_queue_goods }) => is_queue_goods)
    ? "noQueueGoods"
    : order.state === "cancelled"
      ? "cancelled"
      : order.state === "unpaid"
        ? "unpaid"
        : "awaitingReceipt";
  return (
    <Alert color="gray" title={t(`settlement.none.${why}.title`)}>
      {t(`settlement.none.${why}.advice`)}
    </Alert>
  );
}

/** Who was paid what for an order, and why, with all figures to recompute it by hand. */
export function SettlementSection({ order }: { order: Order }) {
  const { t } = useTranslation(["orders", "common"]);
  const result = useAdmin("/adminapi/order/{id}/settlement", { params: { path: { id: order.id } } });
  const state = result.data?.state;
  const badge = (state === "settled" || state === "refunded" || state === "imported") && (
    <Tag color={state === "settled" ? "green" : "gray"}>{t(`settlement.${state}`)}</Tag>
  );
  return (
    <Section title={t("settlement.title")} actions={badge}>
      <QueryResult of={result}>
        {(settlement) => {
          if (settlement.state === "settled" || settlement.state === "refunded" || settlement.state === "imported")
            return (
              <MemberNames members={settlement.members}>
                <SettledOrder settlement={settlement} />
              </MemberNames>
            );
          if (settlement.state === "none") return <Unsettled order={order} />;
          return (
            <Alert
              color={settlement.state === "dead" ? "red" : "blue"}
              title={t(`settlement.${settlement.state}.title`)}
            >
              {t(`settlement.${settlement.state}.advice`)}{" "}
              <Anchor underline="always" component={Link} to="/jobs" size="sm">
                {t("common:nav.settlement")}
              </Anchor>
            </Alert>
          );
        }}
      </QueryResult>
    </Section>
  );
}
