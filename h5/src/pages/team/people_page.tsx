import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { type Api, unwrap } from "../../../../client/index.ts";
import { RowDetails } from "../../components/amount_row.tsx";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import { TextField } from "../../components/field.tsx";
import { formatCount } from "../../components/figures.tsx";
import layout from "../../components/layout.module.css";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { formatDay } from "../../components/time.tsx";
import { useStore } from "../../store/store.ts";
import { useLevelName } from "../levels/level_name.ts";
import { MemberPicture } from "../members/member_picture.tsx";
import styles from "./people_page.module.css";

const depths = ["direct", "umbrella"] as const;

function Person({ person }: { person: Api["TeamMember"] }) {
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
          <span>{t("ordersOf", { number: formatCount(person.orders) })}</span>
          <span>{t("membersOf", { number: formatCount(person.members) })}</span>
        </RowDetails>
      </span>
    </li>
  );
}

/** The members below the member: those they referred, or all. */
export function Component() {
  const { t } = useTranslation("team");
  const api = useStore();
  const [parameters, setParameters] = useSearchParams();
  const depth = depths.find((each) => each === parameters.get("depth")) ?? "direct";
  const [typed, setTyped] = useState("");
  const keyword = useDeferredValue(typed.trim());
  const people = useCursorList(["team people", depth, keyword], (next) =>
    unwrap(api.GET("/api/spread/people", { params: { query: { depth, limit: 20, ...(keyword && { keyword }), ...next } } })),
  );
  return (
    <Page title={t("people")} back="/team">
      <div className={layout.stack}>
        <Choices
          label={t("depth")}
          values={depths}
          value={depth}
          nameOf={(each) => t(each)}
          onChange={(each) => setParameters(each === "direct" ? {} : { depth: each }, { replace: true })}
        />
        <TextField
          label={t("search")}
          type="search"
          name="keyword"
          maxLength={64}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <EndlessList
          of={people}
          label={t("people")}
          className={classes(layout.card, layout.rows)}
          idOf={({ uid }) => uid}
          row={(person) => <Person person={person} />}
          empty={
            keyword ? <Empty text={t("nobodyFound")} /> : <Empty text={t("noPeople")} action={{ to: "/poster", label: t("poster") }} />
          }
        />
      </div>
    </Page>
  );
}
