import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { formatMoney, formatPoints } from "../../components/figures.tsx";

interface FigureLinkProps {
  to: string;
  text: string;
  /** Where it leads, for screen readers. */
  meaning: string;
}

/** A figure that leads to what is behind it. */
export function FigureLink({ to, text, meaning }: FigureLinkProps) {
  return (
    <Anchor component={Link} to={to} size="sm" className="figures" aria-label={`${text}. ${meaning}`}>
      {text}
    </Anchor>
  );
}

interface EarnedLinkProps extends Omit<FigureLinkProps, "text"> {
  figures: { commission: string; points_frozen: number };
  show: "commission" | "points_frozen";
}

/** Commission or points, which lead to their bill rows. */
export function EarnedLink({ figures: { commission, points_frozen }, show, ...link }: EarnedLinkProps) {
  const text = show === "commission" ? formatMoney(commission) : formatPoints(points_frozen);
  // One of the two may be 0 because its rows cancel each other out.
  return Number(commission) === 0 && points_frozen === 0 ? (
    <span className="figures">{text}</span>
  ) : (
    <FigureLink {...link} text={text} />
  );
}
