import { useQueryClient } from "@tanstack/react-query";
import { PullToRefresh } from "antd-mobile";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Content that is read anew when it is pulled down. */
export function Refreshable({ children }: { children: ReactNode }) {
  const { t } = useTranslation("common");
  const queries = useQueryClient();
  return (
    // The words above the page are for those who pull it. They are hidden from screen readers, which would read them on every page.
    <PullToRefresh onRefresh={() => queries.refetchQueries({ type: "active" })} renderText={(status) => <span aria-hidden>{t(`pull.${status}`)}</span>}>
      {children}
    </PullToRefresh>
  );
}
