import { ChevronRight, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { classes } from "./classes.ts";
import layout from "../../../shared/member_styles/layout.module.css";
import styles from "./menu.module.css";

/** A list of links and actions. */
export function Menu({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes(layout.card, styles.menu)} {...(label && { "aria-label": label })}>
      {children}
    </ul>
  );
}

interface MenuRowProps {
  icon?: LucideIcon;
  label: ReactNode;
  /** At the right of the row. */
  value?: ReactNode;
}

function Content({ icon: Icon, label, value }: MenuRowProps) {
  return (
    <>
      {Icon && (
        <span className={styles.icon}>
          <Icon size={20} strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className={styles.label}>{label}</span>
      {value !== undefined && <span className={styles.value}>{value}</span>}
    </>
  );
}

/** A row that opens a page. */
export function MenuLink({ to, ...row }: MenuRowProps & { to: string }) {
  return (
    <li>
      <Link to={to} className={styles.row}>
        <Content {...row} />
        <ChevronRight size={18} className={styles.arrow} aria-hidden />
      </Link>
    </li>
  );
}

/** A row that starts an action on this page. */
export function MenuButton({ onClick, ...row }: MenuRowProps & { onClick: () => void }) {
  return (
    <li>
      <button type="button" className={styles.row} onClick={onClick}>
        <Content {...row} />
        <ChevronRight size={18} className={styles.arrow} aria-hidden />
      </button>
    </li>
  );
}
