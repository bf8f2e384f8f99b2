import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { formatCount } from "../../components/figures.tsx";

type Reach = Admin["PlanReach"];

/** How deep a plan pays, in words. */
export function useReachWords() {
  const { t } = useTranslation("network");
  const depth = (value: number | null) =>
    value === null ? t("plan.noLimit") : value === 0 ? t("plan.none") : t("plan.upTo", { depth: formatCount(value) });
  const deeper = ({ network_depth, commission, points }: Reach) =>
    t("plan.deeper", { depth: formatCount(network_depth), commission: depth(commission), points: depth(points) });
  return { depth, deeper };
}

/** Says that a plan can pay beyond the depth of the settings. */
export function ReachNote({ reach }: { reach: Reach }) {
  const { t } = useTranslation("network");
  const { deeper } = useReachWords();
  if (!reach.is_deeper) return null;
  return (
    <Alert color="gray" role="note">
      {deeper(reach)} <TextLink to="/network">{t("plan.figures")}</TextLink>
    </Alert>
  );
}
