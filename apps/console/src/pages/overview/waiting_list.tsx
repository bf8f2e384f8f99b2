import { Anchor, Group, Paper, SimpleGrid, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { WaitingCount } from "../../components/waiting_count.tsx";
import { waitingPlaces } from "../../../../../functions/_shared/notices/waiting_places.ts";
import { useWaiting } from "../../store/waiting.ts";

/** What waits for the administrator. Each entry leads to the list of its rows. */
export function WaitingList() {
  const { t } = useTranslation(["overview", "words"]);
  return (
    <Section title={t("forMe.title")}>
      <QueryResult of={useWaiting()} lines={2}>
        {({ list }) => {
          const waiting = list.filter(({ count }) => count > 0);
          if (waiting.length === 0) return <Text c="dimmed">{t("forMe.nothing")}</Text>;
          return (
            <SimpleGrid
              component="ul"
              m={0}
              p={0}
              cols={{ base: 1, sm: 2, lg: 3 }}
              spacing="xs"
              style={{ listStyle: "none" }}
            >
              {waiting.map((entry) => (
                <Paper key={entry.kind} component="li" withBorder px="sm" py="xs">
                  <Group justify="space-between" wrap="nowrap" gap="xs">
                    <Anchor component={Link} to={waitingPlaces[entry.kind]}>
                      {t(`words:waiting.${entry.kind}`)}
                    </Anchor>
                    <WaitingCount of={[entry]} />
                  </Group>
                </Paper>
              ))}
            </SimpleGrid>
          );
        }}
      </QueryResult>
    </Section>
  );
}
