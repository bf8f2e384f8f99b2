import { Anchor, Text } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useMemo } from "react";
import { Link } from "react-router";

const Names = createContext<ReadonlyMap<number, string>>(new Map());

/** Gives the members within it their names, where the store sends them beside an answer rather than in each part of it. */
export function MemberNames({ members, children }: { members: { uid: number; nickname: string }[]; children: ReactNode }) {
  const names = useMemo(() => new Map(members.map(({ uid, nickname }) => [uid, nickname])), [members]);
  return <Names value={names}>{children}</Names>;
}

/** The name of a member within `MemberNames`; null where it is not known. */
export function useMemberName(): (uid: number) => string | null {
  const names = useContext(Names);
  return useCallback((uid: number) => names.get(uid) ?? null, [names]);
}

interface MemberLinkProps {
  uid: number | null | undefined;
  nickname?: string | null;
  /** Within a sentence a link is underlined; its colour alone would not tell it apart. */
  inText?: boolean;
}

/** A member, by name where it is known, and the way to their page. Nobody (0 or null) is a dash. */
export function MemberLink({ uid, nickname, inText = false }: MemberLinkProps) {
  const names = useContext(Names);
  if (!uid) return <span>–</span>;
  const name = nickname ?? names.get(uid);
  return (
    <Anchor component={Link} to={`/users/${uid}`} size="sm" underline={inText ? "always" : "hover"}>
      {name ? <>{name} <Text span c="dimmed" size="xs" className="figures">{uid}</Text></> : <span className="figures">{uid}</span>}
    </Anchor>
  );
}

/** A member in a spreadsheet. */
export function memberCsv(uid: number | null, nickname: string | null): string {
  return uid ? `${nickname ?? ""} (${uid})`.trim() : "";
}

/** An order, by its id, and the way to its page. */
export function OrderLink({ id, label }: { id: number | null | undefined; label?: string }) {
  if (!id) return <span>–</span>;
  return <Anchor component={Link} to={`/orders/${id}`} size="sm" className="figures">{label ?? id}</Anchor>;
}
