import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { type Api, unwrap } from "../../../../client/index.ts";
import { unitsLeft } from "../../../../shared/refunds.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { TextArea } from "../../components/field.tsx";
import { formatNumber, Money } from "../../components/figures.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Lines } from "../../components/lines.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { Pictured } from "../../components/pictured.tsx";
import { Quantity } from "../../components/quantity.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { formatTime } from "../../components/time.tsx";
import { useForm } from "../../components/use_form.ts";
import "../../i18n/later.ts";
import { useApi, useStore } from "../../store/store.ts";
import { ProductTitle } from "../products/product_title.tsx";
import { PicturesField, usePictures } from "./pictures_field.tsx";

const reasons = ["unwanted", "damaged", "different", "missing", "other"] as const;

/** What the store would pay back of these units, before the request is sent. */
function PaidBack({ id, lines }: { id: number; lines: Api["RefundLine"][] }) {
  const { t } = useTranslation("refunds");
  const api = useStore();
  const { data, isFetching } = useQuery({
    queryKey: ["/api/order/{id}/refund/preview", id, lines],
    queryFn: () => unwrap(api.POST("/api/order/{id}/refund/preview", { params: { path: { id } }, body: { lines } })),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
  });
  if (!data || lines.length === 0) return null;
  return (
    <div className={layout.card} role="status" aria-busy={isFetching}>
      <dl className={layout.stack}>
        <div className={layout.apart}>
          <dt>{t("paidBack")}</dt>
          <dd>
            <Money value={data.amount} />
            {data.points > 0 && ` ${t("points", { points: formatNumber(data.points) })}`}
          </dd>
        </div>
        {Number(data.freight_left) > 0 && (
          <div className={classes(layout.apart, "weak")}>
            <dt>{t("ofItFreight")}</dt>
            <dd>
              <Money value={data.freight} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function RefundForm({ order }: { order: Api["Order"] }) {
  const { t } = useTranslation("refunds");
  const api = useStore();
  const navigate = useNavigate();
  const lines = order.lines.filter((line) => unitsLeft(line) > 0);
  const chosenOf = (units: Record<number, number>) =>
    lines.map(({ id }) => ({ line_id: id, quantity: units[id] ?? 0 })).filter(({ quantity }) => quantity > 0);
  const ask = useAction((body: { lines: Api["RefundLine"][]; reason: string; pictures: string[] }, key) =>
    api.POST("/api/order/{id}/refund", { params: { path: { id: order.id } }, body, ...key }),
  );
  const pictures = usePictures();
  const form = useForm(
    {
      units: Object.fromEntries(lines.map((line) => [line.id, unitsLeft(line)])),
      reason: undefined as (typeof reasons)[number] | undefined,
      details: "",
    },
    ({ units, reason, details }) =>
      ask.mutateAsync({
        lines: chosenOf(units),
        // "Something else" says nothing beside what it is.
        reason: [reason && reason !== "other" && t(`reasons.${reason}`), details.trim()].filter(Boolean).join(" · "),
        pictures: pictures.chosen.map(({ id }) => id),
      }),
    () => {
      notify(t("asked"));
      void navigate(`/orders/${order.id}`, { replace: true });
    },
  );
  const { units, reason, details } = form.values;
  const hasReason = reason !== undefined && (reason !== "other" || details.trim() !== "");
  return (
    <Form of={form}>
      <Section title={t("units")}>
        <Lines>
          {lines.map((line) => (
            <li key={line.id}>
              <Pictured image={line.image}>
                <ProductTitle title={line.title} />
              </Pictured>
              <span className={layout.apart}>
                <span className="weak">
                  <Money value={line.price} /> × {unitsLeft(line)}
                </span>
                <Quantity
                  label={t("unitsOf", { title: line.title })}
                  min={0}
                  max={unitsLeft(line)}
                  value={units[line.id] ?? 0}
                  onChange={(value) => form.change({ units: { ...units, [line.id]: value } })}
                />
              </span>
            </li>
          ))}
        </Lines>
      </Section>
      <div className={classes(layout.card, layout.stack)}>
        <Choices
          label={t("whatHappened")}
          values={reasons}
          value={reason}
          nameOf={(each) => t(`reasons.${each}`)}
          wraps
          onChange={(each) => form.change({ reason: each })}
        />
        <TextArea
          label={t("details")}
          maxLength={400}
          placeholder={t("reasonHint")}
          required={reason === "other"}
          {...form.field("details")}
        />
        <PicturesField of={pictures} />
      </div>
      <PaidBack id={order.id} lines={chosenOf(units)} />
      <p className="weak">
        {t("whatHappens")}
        {order.refund_request_until && ` ${t("until", { time: formatTime(order.refund_request_until) })}`}
        {order.points_left > 0 && ` ${t("pointsReturn")}`}
      </p>
      {!hasReason && (
        <p className="weak" role="status">
          {t("chooseReason")}
        </p>
      )}
      <SubmitButton of={form} disabled={!hasReason || chosenOf(units).length === 0 || pictures.upload.isPending}>
        {t("ask")}
      </SubmitButton>
    </Form>
  );
}

/** Requests a refund of units of an order. */
export function Component() {
  const { t } = useTranslation("refunds");
  const id = useIdOfPage();
  const order = useApi("/api/order/{id}", { params: { path: { id } } });
  return (
    <Page title={t("title")} back={`/orders/${id}`}>
      <QueryResult of={order}>
        {(shown) =>
          shown.lines.some((line) => unitsLeft(line) > 0) ? (
            <RefundForm order={shown} />
          ) : (
            <Empty text={t("nothingLeft")} />
          )
        }
      </QueryResult>
    </Page>
  );
}
