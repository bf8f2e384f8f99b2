import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";

/** A member, by name where it is known, and the way to their page. Nobody (0 or null) is a dash. */
export function MemberLink({ uid, nickname }: { uid: number | null | undefined; nickname?: string | null }) {
  if (!uid) return <span>–</span>;
  return (
    <Anchor component={Link} to={`/users/${uid}`} size="sm">
      {nickname ? <>{nickname} <Text span c="dimmed" size="xs" className="figures">{uid}</Text></> : <span className="figures">{uid}</span>}
    </Anchor>
  );
}

/** An order, by its id, and the way to its page. */
export function OrderLink({ id, label }: { id: number | null | undefined; label?: string }) {
  if (!id) return <span>–</span>;
  return <Anchor component={Link} to={`/orders/${id}`} size="sm" className="figures">{label ?? id}</Anchor>;
}
