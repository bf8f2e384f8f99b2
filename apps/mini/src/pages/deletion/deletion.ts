import { type Api, StoreError } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, type Entered, factsOf } from "../../page.ts";
import { api, ask, signIn } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { counted, texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const t = texts.members.deletion;
type Deletion = Api["AccountDeletion"];
type Obstacle = Deletion["obstacles"][number];

function reasonText({ reason, count }: Obstacle): string {
  switch (reason) {
    case "order_open":
    case "refund_open":
    case "refund_window_open":
      return counted(t.obstacle, reason, count);
    default:
      return t.obstacle[reason];
  }
}

/** What stands in the way of the deletion, how much of it, and until when. */
function obstacleText(obstacle: Obstacle): string {
  const { reason, amount, until } = obstacle;
  const amountText = amount !== null && (reason === "points_owed" ? formatNumber(Number(amount)) : formatMoney(amount));
  return [reasonText(obstacle), amountText, until && timeText(until)].filter(Boolean).join(" ");
}

/** The deletion of the account: what it means, what stands in its way, and the way back. */
definePage(
  {
    title: t.title,
    texts: ["members"],
    data: {
      deletion: null as Deletion | null,
      obstaclesTitle: "",
      obstacles: [] as string[],
      due: "",
      /** What the member gives up. */
      facts: [] as ReturnType<typeof factsOf>,
      consents: false,
    },

    async load() {
      const deletion = await ask(() => api.GET("/api/user/deletion"));
      const { state, obstacles, due_at, forfeit } = deletion;
      return {
        deletion,
        obstaclesTitle: state === "waiting" ? t.heldUp : t.notYet,
        obstacles: obstacles.map(obstacleText),
        due: due_at === null ? "" : timeText(due_at),
        facts: factsOf([
          [texts.members.brokerage, formatMoney(forfeit.brokerage)],
          [texts.members.frozenPoints, formatNumber(forfeit.frozen_points)],
          [texts.members.availablePoints, formatNumber(forfeit.available_points)],
        ]),
      };
    },
  },
  {
    consent({ detail }: Entered<boolean>) {
      this.setData({ consents: detail.value });
    },

    /** WeChat says again who the member is. */
    renew() {
      return this.act(async () => {
        await signIn();
        await this.refresh();
      });
    },

    request() {
      return this.act(async () => {
        const { forfeit } = this.data.deletion!;
        try {
          await this.write(["request", forfeit], (key) =>
            api.POST("/api/user/deletion", { body: { forfeit }, ...key }),
          );
        } catch (error) {
          // What the member gives up has changed: the page shows the current amounts, which they have to accept.
          this.setData({ consents: false });
          if (error instanceof StoreError) await this.refresh();
          throw error;
        }
        notify(t.asked);
        await this.refresh();
      });
    },

    keep() {
      return this.act(async () => {
        await this.write(["keep", this.data.deletion!.asked_at], (key) => api.DELETE("/api/user/deletion", { ...key }));
        this.setData({ consents: false });
        notify(t.kept);
        await this.refresh();
      });
    },
  },
);
