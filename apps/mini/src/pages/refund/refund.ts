import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { mostRefundPictures, type PrivatePicture } from "../../../../client/pictures.ts";
import { definePage, type Entered, type Tap } from "../../page.ts";
import { unitsLeft } from "../../../../shared/refunds.ts";
import { choosePictures, uploadPicture } from "../../store/pictures.ts";
import { lineRow } from "../../store/products.ts";
import { api, ask } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const t = texts.refunds;
const reasons = Object.entries(t.reasons).map(([id, text]) => ({ id, text }));
/** Frequent reasons, whose texts fill the field. */
const textOf = (reason: string) => (reason === "other" ? "" : t.reasons[reason as keyof typeof t.reasons]);

const lineOf = (line: Api["OrderLine"]) => ({
  ...lineRow(line),
  units: unitsLeft(line),
  id: line.id,
  wanted: unitsLeft(line),
  most: unitsLeft(line),
});

/** The pictures of the request, with what is said of each by its place. */
const picturesOf = (pictures: Pick<PrivatePicture, "id" | "small_url">[]) =>
  pictures.map(({ id, small_url }, at) => ({
    id,
    small_url,
    name: fill(t.picture, { number: at + 1 }),
    removal: fill(t.removePicture, { number: at + 1 }),
  }));

const chosenOf = (lines: ReturnType<typeof lineOf>[]) =>
  lines.filter(({ wanted }) => wanted > 0).map(({ id, wanted }) => ({ line_id: id, quantity: wanted }));

/**
 * What the store would pay back of the chosen units, before the request is sent. Nothing if none is chosen, or if it
 * cannot be told now.
 */
async function paidBackOf(order: number, lines: ReturnType<typeof chosenOf>): Promise<string[]> {
  if (lines.length === 0) return [];
  const preview = await ask(() =>
    api.POST("/api/order/{id}/refund/preview", { params: { path: { id: order } }, body: { lines } }),
  ).catch(() => undefined);
  if (!preview) return [];
  const { amount, freight, freight_left, points } = preview;
  return [
    `${t.paidBack} ${formatMoney(amount)}`,
    ...(Number(freight_left) > 0 ? [`${t.ofItFreight} ${formatMoney(freight)}`] : []),
    ...(points > 0 ? [fill(t.points, { points: formatNumber(points) })] : []),
  ];
}

/** Requests a refund of units of an order. */
definePage(
  {
    title: t.title,
    texts: ["refunds"],
    data: {
      lines: [] as ReturnType<typeof lineOf>[],
      reasons,
      reason: "",
      pictures: picturesOf([]),
      most: mostRefundPictures,
      picturesHint: fill(t.picturesHint, { most: mostRefundPictures }),
      isUploading: false,
      returnsPoints: false,
      paidBack: [] as string[],
    },

    async load() {
      // What was chosen is kept when the page is shown again.
      if (this.data.lines.length > 0) return {};
      const { lines, points_left } = await ask(() =>
        api.GET("/api/order/{id}", { params: { path: { id: Number(this.query.order) } } }),
      );
      const refundable = lines.filter((line) => unitsLeft(line) > 0).map(lineOf);
      return {
        lines: refundable,
        returnsPoints: points_left > 0,
        paidBack: await paidBackOf(Number(this.query.order), chosenOf(refundable)),
      };
    },
  },
  {
    async step({ currentTarget: { dataset } }: Tap<{ id: number; by: number }>) {
      const lines = this.data.lines.map((line) =>
        line.id === dataset.id ? { ...line, wanted: Math.min(Math.max(line.wanted + dataset.by, 0), line.most) } : line,
      );
      this.setData({ lines, paidBack: [] });
      const chosen = chosenOf(lines);
      const paidBack = await paidBackOf(Number(this.query.order), chosen);
      // Of several taps, the last one is shown.
      if (JSON.stringify(chosenOf(this.data.lines)) === JSON.stringify(chosen)) this.setData({ paidBack });
    },

    choose({ currentTarget: { dataset } }: Tap<{ reason: string }>) {
      this.setData({ reason: textOf(dataset.reason) });
    },

    enter({ detail }: Entered<string>) {
      this.setData({ reason: detail.value });
    },

    /** Uploads pictures one after the other. After a failure, those that are left are uploaded. */
    addPictures() {
      let left: string[] | undefined;
      return this.act(async () => {
        left ??= await choosePictures(mostRefundPictures - this.data.pictures.length);
        this.setData({ isUploading: left.length > 0 });
        try {
          while (left.length > 0) {
            const picture = await uploadPicture("refund", left[0]!);
            left.shift();
            this.setData({ pictures: picturesOf([...this.data.pictures, picture]) });
          }
        } finally {
          this.setData({ isUploading: false });
        }
      });
    },

    removePicture({ currentTarget: { dataset } }: Tap<{ id: string }>) {
      this.setData({ pictures: picturesOf(this.data.pictures.filter(({ id }) => id !== dataset.id)) });
    },

    request() {
      return this.act(async () => {
        const path = { id: Number(this.query.order) };
        const body = {
          lines: chosenOf(this.data.lines),
          reason: this.data.reason.trim(),
          pictures: this.data.pictures.map(({ id }) => id),
        };
        await this.write([path, body], (key) => api.POST("/api/order/{id}/refund", { params: { path }, body, ...key }));
        notify(t.asked);
        void wx.navigateBack();
      });
    },
  },
);
