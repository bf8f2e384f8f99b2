import type { CsvColumn, serveCsv } from "../_shared/files/serve_csv.ts";
import { readInput } from "../_shared/http/read_input.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

/** The last two columns are empty: the carrier fills them in, and the file can be imported. */
const COLUMNS: CsvColumn[] = [
  { key: "order_no", title: { en: "Order number", zh: "订单号" } },
  { key: "name", title: { en: "Recipient", zh: "收件人" } },
  { key: "phone", title: { en: "Phone", zh: "手机号" } },
  { key: "province", title: { en: "Province", zh: "省" } },
  { key: "city", title: { en: "City", zh: "市" } },
  { key: "district", title: { en: "District", zh: "区县" } },
  { key: "street", title: { en: "Street", zh: "详细地址" } },
  { key: "goods", title: { en: "Goods", zh: "商品" } },
  { key: "units", title: { en: "Units", zh: "件数" } },
  { key: "remark", title: { en: "Remark", zh: "买家留言" } },
  { key: "carrier", title: { en: "Carrier", zh: "快递公司" } },
  { key: "tracking_no", title: { en: "Tracking number", zh: "运单号" } },
];

/** Serves chosen orders as a file for a carrier. @param serve writes the format of the file */
export const serveShippingFile =
  (serve: typeof serveCsv) =>
  ({ database }: Service, route: Route): RouteHandler => {
    return async (c, claims) => {
      const { query } = await readInput(c, route);
      const { ids } = query as { ids: number[] };
      return serve(c, { name: "shipping", columns: COLUMNS }, () =>
        database.callAsCaller(claims, "get_shipping_rows", { p_ids: ids }),
      );
    };
  };
