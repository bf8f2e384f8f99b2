import { CircleUserRound, ClipboardList, Store, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { classes } from "../components/classes.ts";
import layout from "../../../shared/member_styles/layout.module.css";
import { useUnread } from "../pages/notices/unread.ts";
import styles from "./tab_bar.module.css";

/** The tabs with their routes. The names are texts of `tabs`. */
export const tabs = [
  { name: "products", route: "/", icon: Store },
  { name: "orders", route: "/orders", icon: ClipboardList },
  { name: "team", route: "/team", icon: Users },
  { name: "me", route: "/me", icon: CircleUserRound },
] as const;

/**
 * The tabs at the foot of the main pages. It has a fixed height, so the layout does not shift when a page is loaded.
 */
export function TabBar() {
  const { t } = useTranslation("common");
  const unread = useUnread();
  return (
    <nav className={styles.bar} aria-label={t("menu")}>
      {tabs.map(({ name, route, icon: Icon }) => (
        <NavLink key={name} to={route} end className={styles.tab}>
          <Icon size={24} strokeWidth={1.75} aria-hidden />
          <span>{t(`tabs.${name}`)}</span>
          {name === "me" && unread !== undefined && (
            <span className={classes(layout.badge, styles.badge)}>
              {unread} <span className="sr-only">{t("unread")}</span>
            </span>
          )}
        </NavLink>
      ))}
    </nav>
  );
}
