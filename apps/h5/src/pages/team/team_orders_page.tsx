import { useTranslation } from "react-i18next";
import { type Api, unwrap } from "../../../../client/index.ts";
import { AmountRow, RowDetails } from "../../components/amount_row.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import { Money, Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Tag, Tags } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store/store.ts";

function TeamOrder({ order }: { order: Api["TeamOrder"] }) {
  const { t } = useTranslation("team");
  return (
    <AmountRow
      title={
        <>
          {order.nickname} <span className="weak">{order.uid}</span>
        </>
      }
      amounts={
        <>
          {order.commission !== "0.00" && <Money value={order.commission} signed />}
          {order.points !== 0 && (
            <span>
              <Points value={order.points} signed /> <small>{t("points")}</small>
            </span>
          )}
        </>
      }
    >
      <span className="weak">
        {t("base")} <Money value={order.base} />
      </span>
      <RowDetails>
        <Time value={order.paid_at} />
      </RowDetails>
      {(order.is_direct || !order.counts) && (
        <Tags>
          {order.is_direct && <Tag look="brand">{t("isDirect")}</Tag>}
          {!order.counts && <Tag>{t("notCounted")}</Tag>}
        </Tags>
      )}
    </AmountRow>
  );
}

/** The orders of the team that paid the member, or count for the member's tasks. */
export function Component() {
  const { t } = useTranslation("team");
  const api = useStore();
  const orders = useCursorList(["team orders"], (next) =>
    unwrap(api.GET("/api/spread/order", { params: { query: { limit: 20, ...next } } })),
  );
  return (
    <Page title={t("teamOrders")} back="/team">
      <Refreshable>
        <EndlessList
          of={orders}
          label={t("teamOrders")}
          className={classes(layout.card, layout.rows)}
          idOf={({ order_id }) => order_id}
          row={(order) => <TeamOrder order={order} />}
          empty={<Empty text={t("noOrders")} action={{ to: "/poster", label: t("poster") }} />}
        />
      </Refreshable>
    </Page>
  );
}
