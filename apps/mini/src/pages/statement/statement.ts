import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { monthsOf } from "../../lists.ts";
import { definePage, factsOf, type Tap } from "../../page.ts";
import { movementText } from "../../store/bill.ts";
import { file, keepFile } from "../../store/files.ts";
import { api, ask } from "../../store/store.ts";
import { counted, texts } from "../../texts/texts.ts";

const t = texts.bill.statement;
type Statement = Api["Statement"];

const balancesOf = ({ brokerage_price, frozen_points, available_points }: Statement["opening"]) =>
  factsOf([
    [t.commission, formatMoney(brokerage_price)],
    [t.frozenPoints, formatNumber(frozen_points)],
    [t.availablePoints, formatNumber(available_points)],
  ]);

const sumOf = (sum: Statement["sums"][number]) => ({
  id: `${sum.type} ${sum.source}`,
  ...movementText(sum),
  note: counted(t, "rowCount", sum.rows),
});

const partsOf = ({ opening, closing }: Statement) => [
  { title: t.opening, facts: balancesOf(opening) },
  { title: t.closing, facts: balancesOf(closing) },
];

/** The statement of a month: balances at both ends, the sums between them, and the rows as a list and as a file. */
definePage(
  {
    title: t.title,
    texts: ["bill"],
    data: {
      months: [] as string[],
      /** Empty before the store has named the present one. */
      month: "",
      parts: [] as ReturnType<typeof partsOf>,
      sums: [] as ReturnType<typeof sumOf>[],
      rowsUrl: "",
      /** The name of the file that was made. */
      file: "",
    },

    async load() {
      const { month } = this.data;
      const statement = await ask(() =>
        api.GET("/api/statement", { params: { query: month === "" ? {} : { month } } }),
      );
      const [from, to] = [statement.from, statement.to].map(encodeURIComponent);
      return {
        months: monthsOf(statement),
        month: statement.month,
        parts: partsOf(statement),
        sums: statement.sums.map(sumOf),
        rowsUrl: `/pages/bill/bill?from=${from}&to=${to}`,
      };
    },
  },
  {
    ...file,

    choose({ currentTarget: { dataset } }: Tap<{ month: string }>) {
      this.setData({ month: dataset.month, file: "" });
      return this.refresh();
    },

    download() {
      return this.act(async () => {
        const { month } = this.data;
        const csv = await ask(() => api.GET("/api/statement/csv", { params: { query: { month } }, parseAs: "stream" }));
        // Spreadsheets need the mark for Chinese. It may be lost where the response becomes a text.
        await keepFile(`\uFEFF${csv.replace(/^\uFEFF/, "")}`);
        this.setData({ file: `statement_${month}.csv` });
      });
    },
  },
);
