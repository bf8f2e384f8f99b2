import { Filing } from "../../../shared/filing.tsx";
import { useIcpNumber } from "../store/store.ts";
import styles from "./site_filing.module.css";

/** The foot of the pages on which a visitor arrives: the number of the filing in mainland China, if there is one. */
export function SiteFiling() {
  const number = useIcpNumber();
  return number === undefined ? null : <Filing number={number} className={styles.filing} />;
}
