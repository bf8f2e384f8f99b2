import { Skeleton } from "antd-mobile";
import { useTranslation } from "react-i18next";
import layout from "../../../shared/member_styles/layout.module.css";

/** A placeholder for content that is loading. @param rows its height in rows */
export function Loading({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation("common");
  return (
    <div className={layout.card} role="status" aria-busy="true" aria-label={t("loading")}>
      <Skeleton.Title animated />
      <Skeleton.Paragraph lineCount={rows} animated />
    </div>
  );
}
