import { useSite } from "../../app/site.ts";
import styles from "./welcome.module.css";

/** Name and logo of the store, above the forms for signing in and up. */
export function Welcome({ text }: { text?: string }) {
  const site = useSite();
  return (
    <div className={styles.welcome}>
      <img src={site?.logo ?? "./icon.svg"} alt="" width={56} height={56} />
      <p className={styles.name}>{site?.site_name}</p>
      {text && <p className="weak">{text}</p>}
    </div>
  );
}
