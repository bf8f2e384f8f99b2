import { Anchor, Skeleton, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCount } from "../../components/figures.tsx";
import { useAdmin } from "../../store/store.ts";

/** So many places are below the member. If there are more direct members, the last place says how many. */
const places = 6;

interface Person {
  uid: number;
  nickname: string;
  left_at?: string | null;
}

/** A member as a circle with the first letter of the nickname, which is below it. */
function Node({ person: { uid, nickname, left_at }, isLink }: { person: Person; isLink: boolean }) {
  const { t } = useTranslation("words");
  const picture = (
    <>
      <span aria-hidden className="tree-circle">
        {[...nickname][0]}
      </span>
      <span className="tree-name">
        {nickname}
        {left_at && <VisuallyHidden> ({t("hasLeft")})</VisuallyHidden>}
      </span>
    </>
  );
  const title = [`${nickname} ${uid}`, left_at && t("hasLeft")].filter(Boolean).join(" · ");
  const className = left_at ? "tree-node tree-left" : "tree-node";
  return isLink ? (
    <Anchor component={Link} to={`/users/${uid}`} className={className} title={title}>
      {picture}
    </Anchor>
  ) : (
    <span className={`${className} tree-self`} aria-current="true" title={title}>
      {picture}
    </span>
  );
}

/** What stands where a level of the tree has nobody. */
function Nobody({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" className="tree-node tree-nobody">
      {children}
    </Text>
  );
}

/** The direct members, or as many of them as have room. The places have their height before anybody is known. */
function Below({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const { data, error, refetch } = useAdmin("/adminapi/user", {
    params: { query: { spread_uid: uid, limit: places } },
  });
  if (error && !data) return <FailureAlert error={error} onRetry={() => void refetch()} />;
  if (data?.count === 0) return <Nobody>{t("direct.empty")}</Nobody>;
  const shown = data && data.count > places ? data.list.slice(0, places - 1) : data?.list;
  const left = data ? data.count - (shown?.length ?? 0) : 0;
  return (
    <ul className="tree-below" aria-label={t("tabs.direct")} aria-busy={!data}>
      {shown?.map((person) => (
        <li key={person.uid}>
          <Node person={person} isLink />
        </li>
      ))}
      {left > 0 && (
        <li>
          <Anchor component={Link} to={`/users/${uid}?tab=direct`} className="tree-node">
            <span aria-hidden className="tree-circle tree-more">
              +{formatCount(left)}
            </span>
            <span aria-hidden className="tree-name">
              {t("team.all")}
            </span>
            <VisuallyHidden>{t("team.allDirect", { count: formatCount(data!.count) })}</VisuallyHidden>
          </Anchor>
        </li>
      )}
      {!data && (
        <li>
          <span className="tree-node" role="status" aria-label={t("tabs.direct")}>
            <Skeleton circle height={32} />
          </span>
        </li>
      )}
    </ul>
  );
}

/** The referrer, the member and the direct members as a small picture, which is a list of lists. */
export function ReferralTree({ member: { uid, nickname, referrer, left_at } }: { member: Admin["MemberPage"] }) {
  const { t } = useTranslation("members");
  return (
    <ul className="referral-tree" aria-label={t("team.tree")}>
      <li>
        {referrer ? <Node person={referrer} isLink /> : <Nobody>{t("chain.empty")}</Nobody>}
        <ul>
          <li>
            <Node person={{ uid, nickname, left_at }} isLink={false} />
            <Below uid={uid} />
          </li>
        </ul>
      </li>
    </ul>
  );
}
