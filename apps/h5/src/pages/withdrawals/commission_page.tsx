import { Landmark } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Api, unwrap } from "../../../../client/index.ts";
import { AmountRow, RowDetails } from "../../components/amount_row.tsx";
import { BalanceCard, Balances, MainBalance } from "../../components/balance_card.tsx";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatMoney, Money } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { Menu, MenuLink } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { formatBusinessDay, Time } from "../../components/time.tsx";
import { useApi, useStore } from "../../store/store.ts";
import { isReturned, useWithdrawalReason, useWithdrawalState } from "./withdrawal_words.ts";
import "../../i18n/later.ts";

type Assets = Api["AssetOverview"];
type Terms = Api["WithdrawalTerms"];

function Sums({ assets: { withdrawable, brokerage_price, held_by_refunds, maturing } }: { assets: Assets }) {
  const { t } = useTranslation("withdrawals");
  return (
    <BalanceCard label={t("title")}>
      <MainBalance name={t("withdrawable")}>
        <Money value={withdrawable} />
      </MainBalance>
      <Balances
        items={[
          [t("balance"), <Money key="balance" value={brokerage_price} />],
          [t("maturing"), <Money key="maturing" value={maturing} />],
          ...(held_by_refunds === "0.00"
            ? []
            : [[t("held"), <Money key="held" value={held_by_refunds} />] as [string, React.ReactNode]]),
        ]}
      />
      {held_by_refunds !== "0.00" && <p className="weak">{t("heldHint")}</p>}
    </BalanceCard>
  );
}

/** What matures on which day, and what waits for the receipt of its order. */
function Maturing({ assets: { maturing, maturing_after_receipt, matures } }: { assets: Assets }) {
  const { t } = useTranslation("withdrawals");
  if (maturing === "0.00") return null;
  return (
    <Section title={t("matures")}>
      <Facts
        items={[
          ...matures.map(({ date, amount }): [string, React.ReactNode] => [
            formatBusinessDay(date),
            <Money key={date} value={amount} />,
          ]),
          [t("afterReceipt"), maturing_after_receipt === "0.00" ? null : <Money value={maturing_after_receipt} />],
        ]}
      />
      <p className="weak">{t("maturingHint")}</p>
    </Section>
  );
}

/** Why the member cannot withdraw now, as the store says; undefined if they can. */
function useObstacle(): (terms: Terms) => string | undefined {
  const { t } = useTranslation("withdrawals");
  return ({ obstacle, methods }) => {
    switch (obstacle) {
      case "no_method":
        return t("closed");
      case "withdrawal_open":
        return t("open");
      case "too_little":
        return t("tooLittle", {
          minimum: formatMoney(Math.min(...methods.map(({ minimum }) => Number(minimum))).toFixed(2)),
        });
      case null:
        return undefined;
    }
  };
}

function Row({ withdrawal }: { withdrawal: Api["Withdrawal"] }) {
  const { t } = useTranslation("withdrawals");
  const { id, method, amount, fee, tax, net_amount, account, add_time } = withdrawal;
  const stateOf = useWithdrawalState();
  const reason = useWithdrawalReason()(withdrawal);
  return (
    <AmountRow
      title={account === "" || method === "wechat" ? t(`method.${method}`) : account}
      to={`/withdrawals/${id}`}
      amounts={<Money value={amount} />}
    >
      <span className="weak">
        {stateOf(withdrawal)}
        {!isReturned(withdrawal) && fee !== "0.00" && ` · ${t("fee")} ${formatMoney(fee)}`}
        {!isReturned(withdrawal) && tax !== "0.00" && ` · ${t("tax")} ${formatMoney(tax)}`}
        {!isReturned(withdrawal) && net_amount !== amount && ` · ${t("received")} ${formatMoney(net_amount)}`}
        {reason !== null && `: ${reason} `}
        {isReturned(withdrawal) && ` ${t("returned")}`}
      </span>
      <RowDetails>
        <Time value={add_time} />
      </RowDetails>
    </AmountRow>
  );
}

/** The commission of the member: what can be withdrawn, what is maturing, and the withdrawals. */
export function Component() {
  const { t } = useTranslation("withdrawals");
  const api = useStore();
  const assets = useApi("/api/hjf/assets/overview");
  const terms = useApi("/api/withdrawal/terms");
  const obstacleOf = useObstacle();
  const history = useCursorList(["withdrawals"], (next) =>
    unwrap(api.GET("/api/withdrawal", { params: { query: { limit: 20, ...next } } })),
  );
  return (
    <Page title={t("title")} back="/me">
      <Refreshable>
        <div className={layout.stack}>
          <QueryResult of={assets} rows={4}>
            {(shown) => (
              <>
                <Sums assets={shown} />
                {shown.withdrawable.startsWith("-") && <p role="status">{t("debt")}</p>}
              </>
            )}
          </QueryResult>
          <QueryResult of={terms} rows={1}>
            {(shown) => {
              const obstacle = obstacleOf(shown);
              return obstacle === undefined ? (
                <LinkButton wide to="/withdrawals/new">
                  {t("withdraw")}
                </LinkButton>
              ) : (
                <p className="weak" role="status">
                  {obstacle}
                </p>
              );
            }}
          </QueryResult>
          {assets.data && <Maturing assets={assets.data} />}
          <Menu>
            <MenuLink icon={Landmark} to="/accounts" label={t("accounts")} />
          </Menu>
          <Section title={t("history")}>
            <EndlessList
              of={history}
              label={t("history")}
              className={layout.rows}
              idOf={({ id }) => id}
              row={(withdrawal) => <Row withdrawal={withdrawal} />}
              empty={<Empty text={t("empty")} />}
            />
          </Section>
        </div>
      </Refreshable>
    </Page>
  );
}
