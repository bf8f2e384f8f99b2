import { Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor, actorCsv } from "../../components/actor.tsx";
import { formatShare } from "../../components/figures.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";

type Version = Admin["CommissionPlanVersion"];

/** The versions of the plan: who activated them, and when. */
export function PlanVersions({ versions }: { versions: Version[] }) {
  const { t } = useTranslation("plans");
  const columns = useMemo<Column<Version>[]>(() => {
    const termsOf = ({ brokerage_scope, brokerage_timing }: Version) =>
      `${t(`scopes.${brokerage_scope}`)}; ${t(`timings.${brokerage_timing}`)}`;
    return [
      { id: "version", title: t("versions.version"), align: "right", cell: ({ version }) => version, csv: ({ version }) => version },
      { id: "when", title: t("versions.when"), cell: ({ created_at }) => <Time value={created_at} />, csv: ({ created_at }) => created_at },
      {
        id: "who",
        title: t("versions.who"),
        cell: ({ created_by }) => <Actor actor={created_by} />,
        csv: ({ created_by }) => actorCsv(created_by),
      },
      {
        id: "people",
        title: t("versions.people"),
        align: "right",
        cell: ({ people_per_cycle }) => people_per_cycle,
        csv: ({ people_per_cycle }) => people_per_cycle,
      },
      {
        id: "ratios",
        title: t("versions.ratios"),
        cell: ({ tier_ratios }) => <span className="figures">{tier_ratios.map(formatShare).join(" · ")}</span>,
        csv: ({ tier_ratios }) => tier_ratios.map(formatShare).join(" · "),
      },
      { id: "rest", title: t("versions.rest"), cell: termsOf, csv: termsOf },
    ];
  }, [t]);
  return (
    <Section title={t("versions.title")}>
      {versions.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("versions.empty")}
        </Text>
      ) : (
        <PlainTable
          label={t("versions.title")}
          columns={columns}
          rows={versions}
          rowId={({ version }) => version}
          exportAs="plan versions"
        />
      )}
    </Section>
  );
}
