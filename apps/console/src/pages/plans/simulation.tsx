import { Button, Group, Loader, Stack, Text } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Count, Money, Points, Share } from "../../components/figures.tsx";
import { OrderLink } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { beginningOfLastDays } from "../../components/store_day.ts";
import { useStoreZone } from "../../components/store_zone.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { useDepthName } from "../network/depth_table.tsx";
import type { PlanDraft } from "./plan_draft.ts";

type Result = Admin["Simulation"];
type Total = NonNullable<Result["totals"]["paid"]>;
interface Comparison {
  name: string;
  simulated: React.ReactNode;
  paid: React.ReactNode;
  difference?: React.ReactNode;
}

/** The input of a simulation. Omitted parts are those in force. */
export interface SimulatedDraft {
  plan?: PlanDraft;
  levels?: Admin["AgentLevelDraft"][];
}

const comparison = columnsOf<Comparison>();
type Member = Result["members"][number];
const member = columnsOf<Member>();
const atDepth = columnsOf<Result["depths"][number]>();

/** How much more the draft pays, as an amount: exact, because both have cents. */
const more = (simulated = "0.00", paid = "0.00") =>
  ((Math.round(Number(simulated) * 100) - Math.round(Number(paid) * 100)) / 100).toFixed(2);
const morePoints = (simulated = 0, paid = 0) => Math.round((simulated - paid) * 10_000) / 10_000;

/** A difference with a bar: to the right for more, to the left for less. */
function DifferenceBar({ value, most }: { value: string; most: number }) {
  const share = most === 0 ? 0 : (Math.abs(Number(value)) / most) * 50;
  const isLess = Number(value) < 0;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Money value={value} signed />
      <span className="difference-bar" aria-hidden>
        <span
          className={isLess ? "difference-less" : "difference-more"}
          style={{ width: `${share}%`, left: `${isLess ? 50 - share : 50}%` }}
        />
      </span>
    </Group>
  );
}

function Totals({ simulated, paid }: { simulated: Total | undefined; paid: Total | undefined }) {
  const { t } = useTranslation(["plans", "words"]);
  const columns = [
    comparison.custom({ id: "name", title: t("simulate.figure"), cell: ({ name }) => name }),
    comparison.custom({
      id: "simulated",
      title: t("simulate.simulated"),
      align: "right",
      cell: (row) => row.simulated,
    }),
    comparison.custom({ id: "paid", title: t("simulate.paid"), align: "right", cell: (row) => row.paid }),
    comparison.custom({
      id: "difference",
      title: t("simulate.difference"),
      align: "right",
      cell: ({ difference }) => difference,
    }),
  ];
  const highest = (total: Total | undefined) =>
    total?.highest_order ? (
      <>
        <OrderLink id={total.highest_order.order_id} /> <Money value={total.highest_order.commission} />
      </>
    ) : (
      "–"
    );
  const rows: Comparison[] = [
    {
      name: t("words:commission"),
      simulated: <Money value={simulated?.commission} />,
      paid: <Money value={paid?.commission} />,
      difference: <Money value={more(simulated?.commission, paid?.commission)} signed />,
    },
    {
      name: t("words:points"),
      simulated: <Points value={simulated?.points} />,
      paid: <Points value={paid?.points} />,
      difference: <Points value={morePoints(simulated?.points, paid?.points)} signed />,
    },
    {
      name: t("simulate.payoutShare"),
      simulated: <Share value={simulated?.payout_share} />,
      paid: <Share value={paid?.payout_share} />,
    },
    { name: t("simulate.highest"), simulated: highest(simulated), paid: highest(paid) },
  ];
  return <PlainTable label={t("simulate.title")} columns={columns} rows={rows} rowId={({ name }) => name} />;
}

function Depths({ depths }: { depths: Result["depths"] }) {
  const { t } = useTranslation(["plans", "words", "network"]);
  const nameOf = useDepthName();
  const columns = [
    atDepth.words("depth", t("network:depth"), ({ depth }) => nameOf(depth)),
    atDepth.money("commission", `${t("words:commission")}, ${t("simulate.simulated")}`),
    atDepth.money("paid_commission", `${t("words:commission")}, ${t("simulate.paid")}`),
    atDepth.points("points", `${t("words:points")}, ${t("simulate.simulated")}`),
    atDepth.points("paid_points", `${t("words:points")}, ${t("simulate.paid")}`),
  ];
  return (
    <PlainTable
      label={t("simulate.depths")}
      columns={columns}
      rows={depths}
      rowId={({ depth }) => depth ?? 0}
      exportAs="simulated depths"
      maxHeight={360}
    />
  );
}

function Members({ members }: { members: Result["members"] }) {
  const { t } = useTranslation(["plans", "words"]);
  const differenceOf = ({ commission, paid_commission }: Member) => more(commission, paid_commission);
  const most = Math.max(...members.map((one) => Math.abs(Number(differenceOf(one)))));
  const columns = [
    member.member("uid", t("words:member")),
    member.money("commission", `${t("words:commission")}, ${t("simulate.simulated")}`),
    member.money("paid_commission", `${t("words:commission")}, ${t("simulate.paid")}`),
    member.custom({
      id: "difference",
      title: t("simulate.difference"),
      align: "right",
      isAmount: true,
      width: 220,
      cell: (one) => <DifferenceBar value={differenceOf(one)} most={most} />,
      csv: differenceOf,
    }),
    member.points("points", `${t("words:points")}, ${t("simulate.simulated")}`),
    member.points("paid_points", `${t("words:points")}, ${t("simulate.paid")}`),
  ];
  return (
    <PlainTable
      label={t("simulate.members")}
      columns={columns}
      rows={members}
      rowId={({ uid }) => uid}
      exportAs="simulated members"
      maxHeight={360}
    />
  );
}

interface SimulationProps {
  draft: SimulatedDraft;
  isComplete: boolean;
  days?: number;
}

/** Replays the last days under a draft and compares the result with what was paid. */
export function Simulation({ draft, isComplete, days = 30 }: SimulationProps) {
  const { t } = useTranslation("plans");
  const { admin } = useStore();
  const simulate = useAction((input: SimulatedDraft & { from: string; to: string }, key) =>
    admin.POST("/adminapi/hjf/simulate", { body: input, ...key }),
  );
  const { data, variables } = simulate;
  const isOutdated =
    data !== undefined &&
    JSON.stringify({ plan: variables?.plan, levels: variables?.levels }) !==
      JSON.stringify({ plan: draft.plan, levels: draft.levels });

  const timeZone = useStoreZone();

  /** The same business days as on the overview. */
  function run() {
    const now = Date.now();
    if (timeZone)
      simulate.mutate({ ...draft, from: beginningOfLastDays(days, timeZone, now), to: new Date(now).toISOString() });
  }

  return (
    <Section title={t("simulate.title")} about={t("simulate.about", { days })}>
      <Stack>
        <Group>
          <Button
            variant="default"
            leftSection={<FlaskConical size={16} aria-hidden />}
            onClick={run}
            loading={simulate.isPending || !timeZone}
            disabled={!isComplete}
          >
            {t("simulate.run", { days })}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {simulate.isPending ? (
              <>
                <Loader size="xs" mr="xs" />
                {t("simulate.running")}
              </>
            ) : isOutdated ? (
              t("simulate.outdated")
            ) : (
              ""
            )}
          </Text>
        </Group>
        <FailureAlert error={simulate.error} onRetry={run} />
        {data &&
          (data.orders === 0 ? (
            <Text>{t("simulate.empty")}</Text>
          ) : (
            <>
              <Text size="sm">
                {t("simulate.orders")}: <Count value={data.orders} />
              </Text>
              <Totals simulated={data.totals.simulated} paid={data.totals.paid} />
              <Text fw={600}>{t("simulate.depths")}</Text>
              <Depths depths={data.depths} />
              <Text fw={600}>{t("simulate.members")}</Text>
              <Members members={data.members} />
            </>
          ))}
      </Stack>
    </Section>
  );
}
