import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Link } from "react-router";
import styles from "./icon_button.module.css";

interface IconProps {
  /** The name for screen readers. */
  label: string;
  icon: LucideIcon;
  /** Of the icon, in pixels. */
  size: number;
}

/** A button that shows only an icon. */
export function IconButton({ label, icon: Icon, size, ...button }: IconProps & ComponentProps<"button">) {
  return (
    <button type="button" className={styles.button} aria-label={label} {...button}>
      <Icon size={size} aria-hidden />
    </button>
  );
}

/** A link that shows only an icon. */
export function IconLink({ label, icon: Icon, size, to }: IconProps & { to: string }) {
  return (
    <Link className={styles.button} aria-label={label} to={to}>
      <Icon size={size} aria-hidden />
    </Link>
  );
}
