import { Anchor, Button, Group, List, Text, ThemeIcon } from "@mantine/core";
import { Check, Circle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";

type Step = Admin["FirstSteps"]["list"][number];

/** Where each step is taken. */
const links: Record<Step["step"], string> = {
  identity: "/settings",
  product: "/products",
  plan: "/plan",
  levels: "/levels",
  article: "/articles?tab=categories",
  payment: "/settings",
  share: "/settings",
  withdrawals: "/settings",
  colleague: "/administrators",
  order: "/shipping",
};

function DismissButton() {
  const { t } = useTranslation("overview");
  const { admin } = useStore();
  const dismiss = useAction((_: void, key) => admin.PUT("/adminapi/first_steps/dismissal", key));
  const confirmation = useConfirmedAction(dismiss, () => t("steps.dismissed"));
  return (
    <>
      <Allowed area="system" inRow>
        <Button variant="default" size="compact-sm" onClick={confirmation.ask}>
          {t("steps.dismiss")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("steps.dismissTitle")}
        action={t("steps.dismiss")}
        onConfirm={() => confirmation.confirm()}
      >
        <Text size="sm">{t("steps.dismissEffect")}</Text>
      </ConfirmDialog>
    </>
  );
}

/** What a new store needs, until everything is done or an administrator dismisses it. */
export function FirstSteps() {
  const { t } = useTranslation("overview");
  const list = useAdmin("/adminapi/first_steps").data?.list ?? [];
  if (list.length === 0) return null;
  return (
    <Section title={t("steps.title")} about={t("steps.about")} actions={<DismissButton />}>
      <List spacing="sm" center listStyleType="none">
        {list.map(({ step, is_done }) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon variant="light" color={is_done ? "green" : "orange"} size={24} radius="xl">
                {is_done ? <Check size={14} aria-hidden /> : <Circle size={10} aria-hidden />}
              </ThemeIcon>
            }
          >
            <Group gap="xs">
              <Anchor component={Link} to={links[step]}>
                {t(`steps.${step}.title`)}
              </Anchor>
              <Tag color={is_done ? "green" : "orange"}>{t(is_done ? "steps.done" : "steps.open")}</Tag>
            </Group>
            <Text size="sm" c="dimmed">
              {t(`steps.${step}.about`)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
