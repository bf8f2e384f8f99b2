import { Anchor, SimpleGrid, Text } from "@mantine/core";
import { Fragment, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { Money, Points } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";

/** An amount of an equation. @param to where its rows are listed */
interface Term {
  name: string;
  value: ReactNode;
  to?: string;
}

/** Terms that have the same sum as others. */
function Equation({ from, where }: { from: Term[]; where: Term[] }) {
  const id = useId();
  const sides = [from, where];
  return (
    <dl className="equation">
      {sides.map((terms, side) =>
        terms.map(({ name, value, to }, at) => (
          <Fragment key={name}>
            {side + at > 0 && (
              <Text span c="dimmed" aria-hidden>
                {at === 0 ? "=" : "+"}
              </Text>
            )}
            <div>
              <Text component="dt" size="xs" c="dimmed" id={`${id}-${side}-${at}`}>
                {name}
              </Text>
              <Text component="dd" m={0} fw={550}>
                {to === undefined ? (
                  value
                ) : (
                  <Anchor
                    component={Link}
                    to={to}
                    size="md"
                    fw={550}
                    id={`${id}-${side}-${at}-link`}
                    aria-labelledby={`${id}-${side}-${at} ${id}-${side}-${at}-link`}
                  >
                    {value}
                  </Anchor>
                )}
              </Text>
            </div>
          </Fragment>
        )),
      )}
    </dl>
  );
}

/**
 * What a member was given, and where it is now: two equations. An amount is a link to its rows.
 * @param uid the member whose rows are listed; a past instant has none
 */
export function Accounts({
  accounts: { commission, points },
  uid,
  belowPoints,
}: {
  accounts: Admin["MemberPage"]["accounts"];
  uid?: number;
  belowPoints?: ReactNode;
}) {
  const { t } = useTranslation(["members", "words"]);
  const linked = (to: string) => (uid === undefined ? {} : { to });
  const rows = (type: string) => linked(`/users/${uid}?tab=bill&type=${type}`);
  const withdrawals = (state: string) => linked(`/withdrawals?uid=${uid}${state}`);
  const money = (name: keyof typeof commission, link: { to?: string } = {}): Term => ({
    name: t(name === "withdrawable" && Number(commission.withdrawable) < 0 ? "accounts.debt" : `accounts.${name}`),
    value: <Money value={commission[name]} />,
    ...link,
  });
  const count = (name: keyof typeof points, link: { to?: string } = {}): Term => ({
    name: t(`accounts.${name}`),
    value: <Points value={points[name]} />,
    ...link,
  });
  return (
    <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="sm">
      <Section title={t("words:commission")}>
        <Equation
          from={[
            money("opening", rows("opening_balance")),
            money("earned", rows("brokerage")),
            money("adjusted", rows("adjustment")),
          ]}
          where={[
            money("withdrawable"),
            money("maturing"),
            money("held_by_refunds"),
            money("reserved", withdrawals("")),
            money("paid", withdrawals("&state=paid")),
          ]}
        />
      </Section>
      <Section title={t("words:points")}>
        <Equation
          from={[
            count("opening", rows("opening_balance")),
            count("earned", rows("frozen_points_brokerage")),
            count("adjusted", rows("adjustment")),
          ]}
          where={[
            count("frozen"),
            count("available", rows("frozen_points_release")),
            count("spent", rows("points_spent")),
          ]}
        />
        {belowPoints}
      </Section>
    </SimpleGrid>
  );
}
