import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { formatShare } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";

type Version = Admin["CommissionPlanVersion"];

const column = columnsOf<Version>();

/** The versions of the plan: who activated them, and when. */
export function PlanVersions({ versions }: { versions: Version[] }) {
  const { t } = useTranslation("plans");
  const ratiosOf = ({ tier_ratios }: Version) => tier_ratios.map(formatShare).join(" · ");
  const columns = [
    column.number("version", t("versions.version")),
    column.time("created_at", t("versions.when")),
    column.actor("created_by", t("versions.who")),
    column.number("people_per_cycle", t("versions.people")),
    column.custom({
      id: "ratios",
      title: t("versions.ratios"),
      cell: (version) => <span className="figures">{ratiosOf(version)}</span>,
      csv: ratiosOf,
    }),
    column.words(
      "terms",
      t("versions.rest"),
      ({ brokerage_scope, brokerage_timing }) =>
        `${t(`scopes.${brokerage_scope}`)}; ${t(`timings.${brokerage_timing}`)}`,
    ),
  ];
  return (
    <Section title={t("versions.title")}>
      <PlainTable
        label={t("versions.title")}
        columns={columns}
        rows={versions}
        rowId={({ version }) => version}
        empty={t("versions.empty")}
        exportAs="plan versions"
      />
    </Section>
  );
}
