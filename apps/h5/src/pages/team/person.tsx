import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { RowDetails } from "../../components/amount_row.tsx";
import { classes } from "../../components/classes.ts";
import { formatNumber } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Tag } from "../../components/tag.tsx";
import { formatDay } from "../../components/time.tsx";
import { useLevelName } from "../levels/level_name.ts";
import { MemberPicture } from "../members/member_picture.tsx";
import styles from "./person.module.css";

/** A member of the team in a list. */
export function Person({ person }: { person: Api["TeamMember"] }) {
  const { t } = useTranslation("team");
  const level = useLevelName(person.agent_level);
  return (
    <li className={styles.person}>
      <MemberPicture member={person} small />
      <span className={classes(layout.grow, styles.about)}>
        <span className={layout.apart}>
          <strong>{person.nickname}</strong>
          {person.agent_level > 0 && level && <Tag look="brand">{level}</Tag>}
        </span>
        <RowDetails>
          <span>{t("number", { uid: person.uid })}</span>
          <span>{t("joined", { day: formatDay(person.joined) })}</span>
        </RowDetails>
        <RowDetails>
          <span>{t("ordersOf", { number: formatNumber(person.orders) })}</span>
          <span>{t("membersOf", { number: formatNumber(person.members) })}</span>
        </RowDetails>
      </span>
    </li>
  );
}
