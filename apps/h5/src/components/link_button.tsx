import type { ReactNode } from "react";
import { Link } from "react-router";
import { classes } from "./classes.ts";
import styles from "./link_button.module.css";

interface LinkButtonProps {
  /** `inverse` stands on the main colour. */
  look?: "solid" | "plain" | "inverse";
  /** Takes the room beside others. */
  wide?: boolean;
  children: ReactNode;
}

/** A page, a file to save, or an action beside such links. */
type Target = { to: string } | { href: string; download: string } | { onClick: () => void };

/** A link that looks like a button. */
export function LinkButton({ look = "solid", wide = false, children, ...target }: LinkButtonProps & Target) {
  const className = classes(styles[look], wide && styles.wide);
  if ("onClick" in target)
    return (
      <button type="button" className={className} {...target}>
        {children}
      </button>
    );
  if ("href" in target)
    return (
      <a className={className} data-button {...target}>
        {children}
      </a>
    );
  return (
    <Link className={className} data-button {...target}>
      {children}
    </Link>
  );
}
