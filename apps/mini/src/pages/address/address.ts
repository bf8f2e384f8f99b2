import { definePage, type Entered } from "../../page.ts";
import { Refused } from "../../store/failure.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";
import { isConfirmed, notify } from "../../wechat.ts";

const t = texts.addresses;
const none = { name: "", phone: "", street: "", is_default: false };

/** Adds an address, or changes the one that the address of the page names. */
definePage(
  {
    title: t.add,
    texts: ["addresses"],
    data: { address: none, region: [] as string[], isNew: true },

    async load() {
      // What was typed is kept when the page is shown again.
      if (!this.query.id || !this.data.isNew) return {};
      const addresses = await ask(() => api.GET("/api/address"));
      const address = addresses.find(({ id }) => id === Number(this.query.id));
      if (!address) throw new Refused(t.gone, "");
      return { address, region: address.region, isNew: false };
    },
  },
  {
    chooseRegion({ detail }: Entered<string[]>) {
      // Parts of a longer region are kept.
      this.setData({ region: [...detail.value, ...this.data.region.slice(3)] });
    },

    save({ detail }: Entered<{ name: string; phone: string; street: string; is_default: boolean }>) {
      return this.act(async () => {
        const { name, phone, street, is_default } = detail.value;
        const body = {
          name: name.trim(),
          phone: phone.trim(),
          region: this.data.region,
          street: street.trim(),
          is_default,
        };
        const id = Number(this.query.id);
        await this.write(["save", id, body], (key) =>
          id
            ? api.PUT("/api/address/{id}", { params: { path: { id } }, body, ...key })
            : api.POST("/api/address", { body, ...key }),
        );
        notify(t.saved);
        void wx.navigateBack();
      });
    },

    remove() {
      return this.act(async () => {
        if (!(await isConfirmed(t.delete.title, t.delete.text))) return;
        const path = { id: Number(this.query.id) };
        await this.write(["delete", path], (key) => api.DELETE("/api/address/{id}", { params: { path }, ...key }));
        notify(t.delete.done);
        void wx.navigateBack();
      });
    },
  },
);
