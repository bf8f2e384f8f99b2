import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { unwrap } from "../../../../client/index.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import { TextField } from "../../components/field.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { useStore } from "../../store/store.ts";
import { Person } from "./person.tsx";

const depths = ["direct", "umbrella"] as const;

/** The members below the member: those they referred, or all. */
export function Component() {
  const { t } = useTranslation("team");
  const api = useStore();
  const [parameters, setParameters] = useSearchParams();
  const depth = depths.find((each) => each === parameters.get("depth")) ?? "direct";
  const [typed, setTyped] = useState("");
  const keyword = useDeferredValue(typed.trim());
  const isNear = parameters.has("near");
  const people = useCursorList(["team people", depth, keyword, String(isNear)], (next) =>
    unwrap(
      api.GET("/api/spread/people", {
        params: {
          query: { depth, limit: 20, ...(keyword && { keyword }), ...(isNear && { one_order_away: true }), ...next },
        },
      }),
    ),
  );
  const show = (wanted: { depth: (typeof depths)[number]; near: boolean }) =>
    setParameters(
      { ...(wanted.depth === "umbrella" && { depth: wanted.depth }), ...(wanted.near && { near: "1" }) },
      { replace: true },
    );
  return (
    <Page title={t("people")} back="/team">
      <div className={layout.stack}>
        <Choices
          label={t("depth")}
          values={depths}
          value={depth}
          nameOf={(each) => t(each)}
          onChange={(each) => show({ depth: each, near: isNear })}
        />
        <Checkbox checked={isNear} onChange={(near) => show({ depth, near })}>
          {t("near")}
        </Checkbox>
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
            keyword || isNear ? (
              <Empty text={t("nobodyFound")} />
            ) : (
              <Empty text={t("noPeople")} action={{ to: "/poster", label: t("poster") }} />
            )
          }
        />
      </div>
    </Page>
  );
}
