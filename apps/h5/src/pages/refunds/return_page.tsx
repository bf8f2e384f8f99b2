import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { TextField } from "../../components/field.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useForm } from "../../components/use_form.ts";
import "../../i18n/later.ts";
import { useApi, useStore } from "../../store/store.ts";
import { AddressText } from "../addresses/address_text.tsx";
import { isReturning } from "./goods_return.tsx";

type GoodsReturn = NonNullable<Api["Refund"]["goods_return"]>;

function ReturnForm({ order, goodsReturn }: { order: number; goodsReturn: GoodsReturn }) {
  const { t } = useTranslation("refunds");
  const api = useStore();
  const navigate = useNavigate();
  const save = useAction((body: { carrier: string; tracking_no: string }, key) =>
    api.PUT("/api/order/{id}/refund/return", { params: { path: { id: order } }, body, ...key }),
  );
  const form = useForm(
    { carrier: goodsReturn.carrier ?? "", tracking_no: goodsReturn.tracking_no ?? "" },
    ({ carrier, tracking_no }) => save.mutateAsync({ carrier: carrier.trim(), tracking_no: tracking_no.trim() }),
    () => {
      notify(t("return.saved"));
      void navigate(`/orders/${order}`, { replace: true });
    },
  );
  return (
    <Form of={form}>
      <Section title={t("return.address")}>
        <AddressText address={goodsReturn.address} />
      </Section>
      <div className={classes(layout.card, layout.stack)}>
        <TextField
          label={t("return.carrier")}
          placeholder={t("return.carrierHint")}
          autoComplete="off"
          maxLength={64}
          required
          {...form.field("carrier")}
        />
        <TextField
          label={t("return.trackingNo")}
          autoComplete="off"
          maxLength={64}
          required
          {...form.field("tracking_no")}
        />
      </div>
      <p className="weak">{t("return.whatHappens")}</p>
      <SubmitButton of={form}>{t("return.save")}</SubmitButton>
    </Form>
  );
}

/** Enters or corrects the parcel by which the goods of a refund request return. */
export function Component() {
  const { t } = useTranslation("refunds");
  const id = useIdOfPage();
  const refunds = useApi("/api/order/{id}/refund", { params: { path: { id } } });
  return (
    <Page title={t("return.title")} back={`/orders/${id}`}>
      <QueryResult of={refunds}>
        {({ list }) => {
          const goodsReturn = list.find(isReturning)?.goods_return;
          return goodsReturn ? <ReturnForm order={id} goodsReturn={goodsReturn} /> : <Empty text={t("return.none")} />;
        }}
      </QueryResult>
    </Page>
  );
}
