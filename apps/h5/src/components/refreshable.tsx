import { useQueryClient } from "@tanstack/react-query";
import { PullToRefresh } from "antd-mobile";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Content that is reloaded when it is pulled down. */
export function Refreshable({ children }: { children: ReactNode }) {
  const { t } = useTranslation("common");
  const queries = useQueryClient();
  return (
    // The texts above the page are shown while it is pulled. They are hidden from screen readers, which would read them
    // on every page.
    <PullToRefresh
      onRefresh={() => queries.refetchQueries({ type: "active" })}
      renderText={(status) => <span aria-hidden>{t(`pull.${status}`)}</span>}
    >
      {children}
    </PullToRefresh>
  );
}
