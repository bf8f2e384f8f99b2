import { Inbox } from "lucide-react";
import { Link } from "react-router";

interface EmptyProps {
  text: string;
  action?: { to: string; label: string };
}

/** Shown instead of an empty list, with an action if there is one. */
export function Empty({ text, action }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-picture">
        <Inbox size={40} strokeWidth={1.4} aria-hidden />
      </span>
      <p>{text}</p>
      {action && (
        <Link className="link-button" to={action.to}>
          {action.label}
        </Link>
      )}
    </div>
  );
}
