import { definePage, type Entered } from "../../page.ts";
import { addressText } from "../../store/addresses.ts";
import { isReturning } from "../../store/orders.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const t = texts.refunds.return;

/** Enters or corrects the parcel by which the goods of a refund request return. */
definePage(
  {
    title: t.title,
    texts: ["refunds"],
    data: { address: null as ReturnType<typeof addressText> | null, carrier: "", tracking_no: "" },

    async load() {
      const params = { path: { id: Number(this.query.order) } };
      const { list } = await ask(() => api.GET("/api/order/{id}/refund", { params }));
      const goods = list.find(isReturning)?.goods_return;
      return {
        address: goods ? addressText(goods.address) : null,
        carrier: goods?.carrier ?? "",
        tracking_no: goods?.tracking_no ?? "",
      };
    },
  },
  {
    save({ detail }: Entered<{ carrier: string; tracking_no: string }>) {
      return this.act(async () => {
        const path = { id: Number(this.query.order) };
        const body = { carrier: detail.value.carrier.trim(), tracking_no: detail.value.tracking_no.trim() };
        await this.write([path, body], (key) =>
          api.PUT("/api/order/{id}/refund/return", { params: { path }, body, ...key }),
        );
        notify(t.saved);
        void wx.navigateBack();
      });
    },
  },
);
