import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { unwrap } from "../../../../client/index.ts";
import { billTypeWords } from "../../../../../functions/_shared/words/bill_type_words.ts";
import { codesOf } from "../../../../../functions/_shared/words/words.ts";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { useStore } from "../../store/store.ts";
import { BillRow } from "./bill_row.tsx";

const filters = ["all" as const, ...codesOf(billTypeWords)];

export function Component() {
  const { t } = useTranslation("bill");
  const api = useStore();
  const [parameters, setParameters] = useSearchParams();
  const chosen = filters.find((filter) => filter === parameters.get("type")) ?? "all";
  const bill = useCursorList(["bill", chosen], (next) =>
    unwrap(
      api.GET("/api/bill", { params: { query: { limit: 30, ...(chosen !== "all" && { type: chosen }), ...next } } }),
    ),
  );
  return (
    <Page title={t("title")} back="/me">
      <p className="center">
        <Link to="/statement">{t("statement.title")}</Link>
      </p>
      <Choices
        label={t("filter")}
        values={filters}
        value={chosen}
        nameOf={(filter) => t(`filters.${filter}`)}
        onChange={(filter) => setParameters(filter === "all" ? {} : { type: filter }, { replace: true })}
      />
      <Refreshable>
        <EndlessList
          of={bill}
          label={t("title")}
          className={classes(layout.card, layout.rows)}
          idOf={({ id }) => id}
          row={(row) => <BillRow row={row} />}
          empty={<Empty text={t("empty")} action={{ to: "/poster", label: t("share") }} />}
        />
      </Refreshable>
    </Page>
  );
}
