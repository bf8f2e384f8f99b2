import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Menu, MenuLink } from "../../components/menu.tsx";
import "../../i18n/later.ts";

/** How a member begins to earn; nothing once they can. */
export function FirstSteps({ progress: { eligible } }: { progress: Api["AssetOverview"]["progress"] }) {
  const { t } = useTranslation("prospects");
  if (eligible) return null;
  return (
    <Menu label={t("start.title")}>
      <MenuLink to="/" label={`1. ${t("start.buy")}`} />
      <MenuLink to="/poster" label={`2. ${t("start.share")}`} />
      <MenuLink to="/prospects" label={`3. ${t("start.see")}`} />
    </Menu>
  );
}
