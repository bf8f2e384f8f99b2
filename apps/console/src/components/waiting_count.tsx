import { VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../client/index.ts";
import { waitingPlaces } from "../../../../functions/_shared/notices/waiting_places.ts";
import { useWaiting } from "../store/waiting.ts";
import { formatCount } from "./figures.tsx";
import { Tag } from "./tag.tsx";

/** How much waits for the administrator, in words for screen readers: a number alone says little. */
export function WaitingCount({ of }: { of: Pick<Admin["Waiting"]["list"][number], "count" | "is_more">[] }) {
  const { t } = useTranslation("common");
  const sum = of.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return null;
  const count = `${formatCount(sum)}${of.some(({ is_more }) => is_more) ? "+" : ""}`;
  return (
    <Tag color="orange">
      <span aria-hidden>{count}</span>
      <VisuallyHidden>{t("waiting", { count })}</VisuallyHidden>
    </Tag>
  );
}

/** How much waits on pages of the menu. @param routes such as `orders` */
export function WaitingOnPages({ routes }: { routes: readonly string[] }) {
  const { data } = useWaiting();
  return (
    <WaitingCount
      of={(data?.list ?? []).filter(({ kind }) => routes.includes(waitingPlaces[kind].split("?")[0]!.slice(1)))}
    />
  );
}
