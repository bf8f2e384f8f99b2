import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { readInput } from "../_shared/http/read_input.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { CsvColumn, serveCsv } from "../_shared/files/serve_csv.ts";
import type { Service } from "../_shared/routes/service.ts";

const COLUMNS: CsvColumn[] = [
  { key: "withdrawal_no", title: { en: "Withdrawal", zh: "提现单号" } },
  { key: "holder", title: { en: "Account holder", zh: "收款人" } },
  { key: "bank", title: { en: "Bank", zh: "开户银行" } },
  { key: "account_no", title: { en: "Account number", zh: "收款账号" } },
  { key: "amount", title: { en: "Amount", zh: "金额" }, isAmount: true },
];

/** What is read of the first rows of `get_withdrawal_batch_rows`. */
const batch = z.object({ batch_no: z.string() });

/**
 * Serves the file of a batch, which has the number of the batch as its name.
 * @param serve writes the format of the file
 */
export const serveBatchFile =
  (serve: typeof serveCsv) =>
  ({ database }: Service, route: Route): RouteHandler => {
    return async (c, claims) => {
      const { path } = await readInput(c, route);
      const { id } = path as { id: number };
      const read = (after: string | null) =>
        database.callAsCaller(claims, "get_withdrawal_batch_rows", { p_id: id, p_after: after ?? 0 });
      const first = await read(null);
      const { batch_no } = readResult(batch, first);
      return serve(c, { name: batch_no, columns: COLUMNS }, (after) =>
        after === null ? Promise.resolve(first) : read(after),
      );
    };
  };
