import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor } from "../../components/actor.tsx";
import { Currency } from "../../components/figures.tsx";
import { MemberLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";

type Order = Admin["OrderPage"];

/** Who did a step, as far as it is recorded. */
function Who({ order: { uid, nickname }, step: { by, actor } }: { order: Order; step: Order["timeline"][number] }) {
  const { t } = useTranslation("orders");
  if (by === "buyer") return <MemberLink uid={uid} nickname={nickname} />;
  if (by === "administrator") return <Actor actor={actor} />;
  return by === "store" && t("timeline.store");
}

/** What happened to an order, oldest first: when, what and who did it. */
export function OrderTimeline({ order }: { order: Order }) {
  const { t } = useTranslation("orders");
  return (
    <Section title={t("timeline.title")}>
      <ol className="timeline">
        {order.timeline.map((step) => (
          <li key={`${step.step} ${step.at}`}>
            <Text span size="sm" c="dimmed">
              <Time value={step.at} />
            </Text>
            <Text span size="sm" fw={600}>
              {t(`timeline.steps.${step.step}`)}
            </Text>
            <Text span size="sm">
              {step.amount !== null && (
                <>
                  <Currency value={step.amount} />{" "}
                </>
              )}
              <Who order={order} step={step} />
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  );
}
