import { Button as LibraryButton, type ButtonProps } from "antd-mobile";
import styles from "./button.module.css";
import { classes } from "./classes.ts";

/** The colour of the text of a button; undefined for that of the library. */
function textColour({ color, fill }: ButtonProps): string | undefined {
  if (fill === "none") return color === "danger" ? "var(--danger)" : "var(--brand-text)";
  return color === "primary" ? "var(--on-brand)" : undefined;
}

/** A button of the component library, with text that can be read on any main colour and a visible focus. */
export function Button({ className, ...button }: ButtonProps) {
  const colour = textColour(button);
  return (
    <LibraryButton
      {...button}
      className={classes(styles.button, button.size === "large" && styles.large, className)}
      {...(colour && { style: { "--text-color": colour } })}
    />
  );
}
