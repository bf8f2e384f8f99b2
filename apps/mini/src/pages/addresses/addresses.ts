import type { Api } from "../../../../client/index.ts";
import { definePage, type Tap } from "../../page.ts";
import { addressText } from "../../store/addresses.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";
import { openPage } from "../../wechat.ts";

/** The address book. While an order is placed, a tap chooses an address. */
definePage(
  {
    title: texts.addresses.title,
    texts: ["addresses"],
    data: { addresses: [] as { id: number; isDefault: boolean; name: string; text: string }[] },

    async load() {
      const addresses = await ask(() => api.GET("/api/address"));
      return {
        addresses: addresses.map((each) => ({ id: each.id, isDefault: each.is_default, ...addressText(each) })),
      };
    },
  },
  {
    open({ currentTarget: { dataset } }: Tap<{ id: number }>) {
      if (this.query.choosing) this.choose(dataset.id);
      else openPage(`/pages/address/address?id=${dataset.id}`);
    },

    choose(id: number) {
      this.getOpenerEventChannel().emit("chosen", id);
      void wx.navigateBack();
    },

    /** Takes an address that the member has in WeChat. */
    takeFromWechat() {
      return this.act(async () => {
        const taken = await wx.chooseAddress().catch(() => undefined);
        // The member has closed the list of WeChat.
        if (!taken) return;
        const body: Api["AddressInput"] = {
          name: taken.userName,
          phone: taken.telNumber,
          region: [taken.provinceName, taken.cityName, taken.countyName].filter(Boolean),
          street: taken.detailInfo,
        };
        const { id } = await this.write(["address", body], (key) => api.POST("/api/address", { body, ...key }));
        if (this.query.choosing) this.choose(id);
        else await this.refresh();
      });
    },
  },
);
