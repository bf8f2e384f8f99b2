import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { type Api, unwrap } from "../../../../client/index.ts";
import { readFile, saveFile } from "../../../../shared/read_file.ts";
import { AmountRow } from "../../components/amount_row.tsx";
import { Button } from "../../components/button.tsx";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import { Facts } from "../../components/facts.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { Money, Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { useApi, useStore } from "../../store/store.ts";
import { BillRow } from "./bill_row.tsx";

type Statement = Api["Statement"];

function Balances({
  title,
  of: { brokerage_price, frozen_points, available_points },
}: {
  title: string;
  of: Statement["opening"];
}) {
  const { t } = useTranslation("bill");
  return (
    <Section title={title}>
      <Facts
        items={[
          [t("statement.commission"), <Money key="commission" value={brokerage_price} />],
          [t("statement.frozenPoints"), <Points key="frozen" value={frozen_points} />],
          [t("statement.availablePoints"), <Points key="available" value={available_points} />],
        ]}
      />
    </Section>
  );
}

function Sums({ sums }: { sums: Statement["sums"] }) {
  const { t } = useTranslation("bill");
  return (
    <Section title={t("statement.sums")}>
      {sums.length === 0 && <p>{t("statement.empty")}</p>}
      <ul className={layout.rows}>
        {sums.map(({ type, source, rows, brokerage, frozen_points, available_points }) => (
          <AmountRow
            key={`${type} ${source}`}
            title={t(`type.${type}`)}
            amounts={
              <>
                {brokerage !== "0.00" && <Money value={brokerage} signed />}
                {available_points !== 0 && (
                  <span>
                    <Points value={available_points} signed /> <small>{t("available")}</small>
                  </span>
                )}
                {frozen_points !== 0 && (
                  <span>
                    <Points value={frozen_points} signed /> <small>{t("frozen")}</small>
                  </span>
                )}
              </>
            }
          >
            <span className="weak">
              {t(`source.${source}`)} · {t("statement.rowCount", { count: rows })}
            </span>
          </AmountRow>
        ))}
      </ul>
    </Section>
  );
}

function Rows({ statement: { from, to } }: { statement: Statement }) {
  const { t } = useTranslation("bill");
  const api = useStore();
  const rows = useCursorList(["bill", from, to], (next) =>
    unwrap(api.GET("/api/bill", { params: { query: { from, to, limit: 30, ...next } } })),
  );
  return (
    <EndlessList
      of={rows}
      label={t("statement.rows")}
      className={classes(layout.card, layout.rows)}
      idOf={({ id }) => id}
      row={(row) => <BillRow row={row} />}
      empty={<Empty text={t("statement.empty")} />}
    />
  );
}

/** Reads the file of a month and lets the browser save it. */
function DownloadButton({ month }: { month: string }) {
  const { t } = useTranslation("bill");
  const api = useStore();
  const download = useMutation({
    mutationFn: () => readFile(api.GET("/api/statement/csv", { params: { query: { month } }, parseAs: "stream" })),
    onSuccess: (file) => saveFile(file, `statement_${month}.csv`),
  });
  return (
    <>
      <FailureBox error={download.error} />
      <Button block loading={download.isPending} onClick={() => download.mutate()}>
        <Download size={18} aria-hidden /> {t("statement.download")}
      </Button>
    </>
  );
}

/** The statement of a month: balances at both ends, the sums between them, and the rows. */
export function Component() {
  const { t } = useTranslation("bill");
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get("month");
  const statement = useApi("/api/statement", { params: { query: { ...(chosen && { month: chosen }) } } });
  return (
    <Page title={t("statement.title")} back="/bill">
      <Refreshable>
        <QueryResult of={statement} rows={8}>
          {(shown) => (
            <div className={layout.stack}>
              <Choices
                label={t("statement.month")}
                values={[...new Set([shown.month, ...shown.months])].sort().reverse()}
                value={shown.month}
                nameOf={(month) => month}
                onChange={(month) => setParameters({ month }, { replace: true })}
              />
              <Balances title={t("statement.opening")} of={shown.opening} />
              <Sums sums={shown.sums} />
              <Balances title={t("statement.closing")} of={shown.closing} />
              <DownloadButton month={shown.month} />
              <Rows statement={shown} />
            </div>
          )}
        </QueryResult>
      </Refreshable>
    </Page>
  );
}
