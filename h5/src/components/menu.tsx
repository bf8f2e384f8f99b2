import { ChevronRight, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A list of links and actions. */
export function Menu({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className="card menu" {...(label && { "aria-label": label })}>
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
        <span className="menu-icon">
          <Icon size={20} strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className="menu-label">{label}</span>
      {value !== undefined && <span className="menu-value">{value}</span>}
    </>
  );
}

/** A row that opens a page. */
export function MenuLink({ to, ...row }: MenuRowProps & { to: string }) {
  return (
    <li>
      <Link to={to} className="menu-row">
        <Content {...row} />
        <ChevronRight size={18} className="menu-arrow" aria-hidden />
      </Link>
    </li>
  );
}

/** A row that starts an action on this page. */
export function MenuButton({ onClick, ...row }: MenuRowProps & { onClick: () => void }) {
  return (
    <li>
      <button type="button" className="menu-row" onClick={onClick}>
        <Content {...row} />
        <ChevronRight size={18} className="menu-arrow" aria-hidden />
      </button>
    </li>
  );
}
