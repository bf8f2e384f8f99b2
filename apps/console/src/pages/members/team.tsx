import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { ReferralTree } from "./referral_tree.tsx";

type MemberPage = Admin["MemberPage"];

/** Who is around a member in the referral tree, and the totals of those below. */
export function Team({ member, team }: { member: MemberPage; team: NonNullable<MemberPage["team"]> }) {
  const { t } = useTranslation("members");
  const { direct, umbrella, as_of } = team;
  return (
    <Section title={t("team.title")}>
      <div className="team">
        <ReferralTree member={member} />
        <DescriptionList
          items={[
            [t("team.directMembers"), <Count key="direct members" value={direct.members} />],
            [t("team.directOrders"), <Count key="direct orders" value={direct.orders} />],
            [t("team.members"), <Count key="members" value={umbrella.members} />],
            [t("team.orders"), <Count key="orders" value={umbrella.orders} />],
            [t("team.asOf"), <Time key="as of" value={as_of} />],
          ]}
        />
      </div>
    </Section>
  );
}
