import { Link } from "react-router";
import styles from "./product_title.module.css";

interface ProductTitleProps {
  title: string;
  /** The page that it opens. */
  to?: string;
  large?: boolean;
}

/** The title of a product, in at most two lines. */
export function ProductTitle({ title, to, large }: ProductTitleProps) {
  const className = large ? styles.large : styles.title;
  return to === undefined ? (
    <span className={className}>{title}</span>
  ) : (
    <Link to={to} className={className}>
      {title}
    </Link>
  );
}
