import { Anchor, Text } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

const Names = createContext<ReadonlyMap<number, string>>(new Map());

/** Provides the names of members to the elements within it, for responses that have the names in one place. */
export function MemberNames({
  members,
  children,
}: {
  members: { uid: number; nickname: string }[];
  children: ReactNode;
}) {
  const names = useMemo(() => new Map(members.map(({ uid, nickname }) => [uid, nickname])), [members]);
  return <Names value={names}>{children}</Names>;
}

/** The name of a member from `MemberNames`; null if it is unknown. */
export function useMemberName(): (uid: number) => string | null {
  const names = useContext(Names);
  return useCallback((uid: number) => names.get(uid) ?? null, [names]);
}

/** An underlined link, for one within or after a text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm" underline="always">
      {children}
    </Anchor>
  );
}

interface MemberLinkProps {
  uid: number | null | undefined;
  nickname?: string | null;
  /** Links within a sentence are underlined, because colour alone is not sufficient. */
  inText?: boolean;
}

/** A link to a member's page, with the name if it is known. No member (0 or null) is a dash. */
export function MemberLink({ uid, nickname, inText = false }: MemberLinkProps) {
  const names = useContext(Names);
  if (!uid) return <span>–</span>;
  const name = nickname ?? names.get(uid);
  return (
    <Anchor
      component={Link}
      to={`/users/${uid}`}
      size="sm"
      underline={inText ? "always" : "hover"}
      {...(!inText && { className: "member-link" })}
    >
      {name ? (
        <>
          <span className="member-name">{name}</span>{" "}
          <Text span c="dimmed" size="xs" className="figures">
            {uid}
          </Text>
        </>
      ) : (
        <span className="figures">{uid}</span>
      )}
    </Anchor>
  );
}

/** The exported value of `MemberLink`. */
export function memberCsv(uid: number | null, nickname: string | null): string {
  return uid ? `${nickname ?? ""} (${uid})`.trim() : "";
}

/** A link to an order's page. */
export function OrderLink({ id, label }: { id: number | null | undefined; label?: string }) {
  if (!id) return <span>–</span>;
  return (
    <Anchor component={Link} to={`/orders/${id}`} size="sm" className="figures">
      {label ?? id}
    </Anchor>
  );
}

/** A link to a withdrawal's page. */
export function WithdrawalLink({ id }: { id: number }) {
  const { t } = useTranslation("withdrawals");
  return (
    <Anchor component={Link} to={`/withdrawals/${id}`} size="sm" className="figures">
      {t("titleOf", { number: id })}
    </Anchor>
  );
}
